// SPDX-License-Identifier: Apache-2.0
// One model, compiled for a device of OpenVINO with the shapes of its inputs. Every input set has a request of its own,
// with its tensors in place; it is made on the caller's thread, or beside others on streams of OpenVINO where the
// options ask for that.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workload/runtime/openvino/api.h"
#include "workload/runtime/openvino/async_requests.h"
#include "workload/runtime/openvino/layers.h"
#include "workload/runtime/openvino/ports.h"
#include "workload/runtime/openvino/properties.h"
#include "workload/runtime/session_base.h"

namespace strobe::openvino {

class OpenVinoSession final : public SessionBase {
 public:
  OpenVinoSession(const Runtime&, Target, const ModelOptions&, Device&);
  ~OpenVinoSession() override { drain(); }

  // Of one that was compiled for OpenVINO's profiler: averages over all requests so far.
  std::vector<Layer> layers();
  Profiling profile() override;
  std::optional<WorkObservation> inspect() override;
  Overlapping* overlapping() override { return at_once_ ? &at_once_->overlapping() : nullptr; }

 private:
  bool on_cpu() const { return target_.device == Target().device; }
  void load();
  void compile();
  std::unique_ptr<OpenVinoSession> under_profiler() const;
  SetMemory new_request(std::size_t number);
  void make_at_once(const AtOnce&);

  Error error_from(const std::exception&, const std::string& what) const override;
  SetMemory bind(std::size_t set) override;
  void run(std::size_t set) override;
  void describe(ModelInfo&) const override;
  void find_outputs(std::size_t set, Stream& on, std::vector<OutputView>& found) override;

  Target target_;
  Owned<ov_model_t> model_;
  Owned<ov_compiled_model_t> compiled_;
  std::vector<DeclaredInput> inputs_;
  std::vector<DeclaredOutput> outputs_;
  std::vector<Request> requests_;           // of each input set, and more; they go before what they were made from
  std::unique_ptr<AsyncRequests> at_once_;  // null: one at a time
};

}  // namespace strobe::openvino
