// Torch as a Runtime of Strobe: what the plugin hands out once a torch that fits is open.
#include <torch/csrc/inductor/aoti_torch/c/shim.h>

#include <fmt/format.h>

#include "base/build_info.h"
#include "workload/torch/cuda.h"
#include "workload/torch/errors.h"
#include "workload/torch/torch_session.h"
#include "workload/torch/version.h"

namespace strobe::torch_plugin {
namespace {

class TorchRuntime final : public Runtime, private c10::WarningHandler {
 public:
  TorchRuntime() : version_(version_text(aoti_torch_abi_version())), usual_(current_flags()) {}
  ~TorchRuntime() override {
    if (before_) c10::WarningUtils::set_warning_handler(before_);
  }
  TorchRuntime(const TorchRuntime&) = delete;
  TorchRuntime& operator=(const TorchRuntime&) = delete;

  std::string name() const override { return "torch"; }
  std::string version() const override { return version_; }

  Capability runs_on(const Device& device) const override {
    const std::string kind = device.info().kind;
    if (kind == "cpu") return {};
    if (kind == "cuda") return open_cuda();
    return {fmt::format("torch {} does not know this device", version_)};
  }

  std::unique_ptr<Session> load(const ModelOptions& options, Device& device) override {
    if (!before_) {
      log_ = options.log;
      before_ = c10::WarningUtils::get_warning_handler();
      c10::WarningUtils::set_warning_handler(this);
    }
    const Flags flags = flags_for(options, usual_, torch_device(device).is_cuda());
    return std::make_unique<TorchSession>(options, device, flags, version_);
  }

 private:
  // Torch's warnings into ours, without the place in its own source.
  void process(const c10::Warning& warning) override {
    if (log_) log_(fmt::format("torch: {}", readable(warning.msg())));
  }

  std::string version_;
  Flags usual_;
  std::function<void(const std::string&)> log_;
  c10::WarningHandler* before_ = nullptr;
};

}  // namespace
}  // namespace strobe::torch_plugin

extern "C" const strobe::Plugin* strobe_torch_sessions() {
  static const strobe::Plugin plugin{strobe::kBuildId, []() -> std::unique_ptr<strobe::Runtime> {
                                       return std::make_unique<strobe::torch_plugin::TorchRuntime>();
                                     }};
  return &plugin;
}
