// SPDX-License-Identifier: Apache-2.0
// An AOTInductor package (.pt2): compiled code for one device, with no names, shapes or types of its inputs but those
// that its exporter wrote into the metadata.
#pragma once

#include <memory>

#include "workload/runtime/torch/description.h"
#include "workload/runtime/torch/model.h"

namespace torch::inductor {
class AOTIModelPackageLoader;
}

namespace strobe::torch_plugin {

class PackageModel final : public Model {
 public:
  PackageModel(const ModelOptions&, at::Device);
  ~PackageModel() override;

  const std::vector<DeclaredInput>& inputs() const override { return inputs_; }
  void run(InputSet&) override;
  std::vector<NamedTensor> outputs(const InputSet&) const override;
  std::optional<std::uint64_t> parameters() const override { return parameters_; }
  void describe(Scalars& facts) const override;

 private:
  std::unique_ptr<torch::inductor::AOTIModelPackageLoader> loader_;
  std::vector<DeclaredInput> inputs_;
  std::optional<std::uint64_t> parameters_;
  std::string compiled_for_;
  bool ran_ = false;
};

}  // namespace strobe::torch_plugin
