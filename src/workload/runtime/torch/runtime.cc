// SPDX-License-Identifier: Apache-2.0
// Torch as a Runtime of Strobe: what the plugin hands out once a torch that fits is open.
#include <torch/csrc/inductor/aoti_torch/c/shim.h>

#include <fmt/format.h>

#include "workload/runtime/plugin.h"
#include "workload/runtime/process_log.h"
#include "workload/runtime/torch/cuda.h"
#include "workload/runtime/torch/errors.h"
#include "workload/runtime/torch/torch_session.h"
#include "workload/runtime/torch/version.h"

namespace strobe::torch_plugin {
namespace {

// Torch's warnings into ours, without the place in its own source. It stays for as long as the process: torch has one
// handler for all.
class Warnings final : public c10::WarningHandler {
 public:
  static void go_to(const std::function<void(const std::string&)>& log) {
    static Warnings handler;
    handler.log_.set(log);
    c10::WarningUtils::set_warning_handler(&handler);
  }

 private:
  void process(const c10::Warning& warning) override { log_.say(fmt::format("torch: {}", readable(warning.msg()))); }

  ProcessLog log_;
};

class TorchRuntime final : public Runtime {
 public:
  TorchRuntime() : version_(version_text(aoti_torch_abi_version())), usual_(current_flags()) {}

  std::string name() const override { return "torch"; }
  std::string version() const override { return version_; }

  Capability runs_on(const Device& device) const override {
    const std::string kind = device.info().kind;
    if (kind == "cpu") return {};
    if (kind == "cuda") return open_cuda();
    return {fmt::format("torch {} does not know this device", version_)};
  }

  std::unique_ptr<Session> load(const ModelOptions& options, Device& device) override {
    Warnings::go_to(options.log);
    const Flags flags = flags_for(options, usual_, torch_device(device).is_cuda());
    return std::make_unique<TorchSession>(*this, options, device, flags);
  }

 private:
  std::string version_;
  Flags usual_;
};

}  // namespace
}  // namespace strobe::torch_plugin

extern "C" const strobe::Plugin* strobe_torch_sessions() {
  return strobe::plugin_of<strobe::torch_plugin::TorchRuntime>();
}
