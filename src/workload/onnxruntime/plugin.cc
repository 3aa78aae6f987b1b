// The plugin's entry: ONNX Runtime as a Runtime of Strobe.
#include <fmt/format.h>

#include "base/build_info.h"
#include "workload/onnxruntime/onnx_session.h"
#include "workload/runtime.h"

namespace strobe::onnxruntime {
namespace {

class OnnxRuntime final : public Runtime {
 public:
  OnnxRuntime() : version_(open_library()) {}

  std::string name() const override { return "onnxruntime"; }
  std::string version() const override { return version_; }

  Capability runs_on(const Device& device) const override {
    if (device.info().kind == "cpu") return {};
    return {fmt::format("onnxruntime {} runs on the CPU in this version of strobe", version_)};
  }

  std::unique_ptr<Session> load(const ModelOptions& options, Device& device) override {
    if (!env_) {
      log_ = options.log;
      env_ = guarded("cannot start ONNX Runtime",
                     [&] { return Ort::Env(ORT_LOGGING_LEVEL_WARNING, "strobe", &log_line, this); });
    }
    return std::make_unique<OnnxSession>(env_, options, device, version_);
  }

 private:
  // The library's log into ours; it must not throw through C.
  static void ORT_API_CALL log_line(void* self, OrtLoggingLevel level, const char* category, const char*, const char*,
                                    const char* message) noexcept {
    if (level >= ORT_LOGGING_LEVEL_ERROR) return;  // comes as an exception, too
    try {
      const auto& log = static_cast<OnnxRuntime*>(self)->log_;
      if (log) log(fmt::format("onnxruntime ({}): {}", category, message));
    } catch (...) {
    }
  }

  std::string version_;
  std::function<void(const std::string&)> log_;
  Ort::Env env_{nullptr};
};

}  // namespace
}  // namespace strobe::onnxruntime

extern "C" const strobe::Plugin* strobe_plugin() {
  static const strobe::Plugin plugin{strobe::kBuildId, []() -> std::unique_ptr<strobe::Runtime> {
                                       return std::make_unique<strobe::onnxruntime::OnnxRuntime>();
                                     }};
  return &plugin;
}
