// SPDX-License-Identifier: Apache-2.0
// The smallest runtime there is: its model multiplies every number by 2. Tests change what it does in other ways.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "workload/runtime/error_words.h"
#include "workload/runtime/session_base.h"

namespace strobe::testing {

using Compute = std::function<void(std::span<const float> in, std::span<float> out)>;

inline void double_each(std::span<const float> in, std::span<float> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = 2 * in[i];
}

class DoublingSession final : public SessionBase {
 public:
  DoublingSession(const Runtime& runtime, const ModelOptions& options, Device& device, Compute compute)
      : SessionBase(runtime, options, device), compute_(std::move(compute)) {
    prepare({{"x", TensorType::f32, {-1, 4}, {"batch", ""}, ShapeText{{1, 4}, ""}}});
  }
  ~DoublingSession() override { drain(); }

  std::span<float> input(std::size_t set) const { return floats(memory(set).inputs[0]); }
  std::span<float> output(std::size_t set) const { return floats(memory(set).outputs[0].bytes); }

 private:
  static std::span<float> floats(std::span<std::byte> bytes) {
    return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
  }

  Error error_from(const std::exception& e, const std::string& what) const override {
    return error_by_words(what, e.what());
  }
  SetMemory bind(std::size_t set) override {
    const PlannedInput& x = planned()[0];
    return {{new_input(x, set)}, {{x.type, new_buffer(x.bytes())}}};
  }
  void run(std::size_t set) override { compute_(input(set), output(set)); }
  void describe(ModelInfo& info) const override { info.outputs.push_back({"y", "f32", planned()[0].shape, {}}); }
  std::uint64_t output_bytes() const override { return planned()[0].bytes(); }

  Compute compute_;
};

class DoublingRuntime final : public Runtime {
 public:
  explicit DoublingRuntime(Compute compute = double_each) : compute_(std::move(compute)) {}

  std::string name() const override { return "doubling"; }
  std::string version() const override { return "2.0"; }
  Capability runs_on(const Device&) const override { return {}; }
  std::unique_ptr<Session> load(const ModelOptions& options, Device& device) override { return open(options, device); }
  std::unique_ptr<DoublingSession> open(const ModelOptions& options, Device& device) const {
    return std::make_unique<DoublingSession>(*this, options, device, compute_);
  }

 private:
  Compute compute_;
};

}  // namespace strobe::testing
