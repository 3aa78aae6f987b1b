// SPDX-License-Identifier: Apache-2.0
// The plugin's entry: ONNX Runtime as a Runtime of Strobe.
#include "workload/runtime/plugin.h"

#include <algorithm>

#include <fmt/format.h>

#include "host/library.h"
#include "workload/runtime/onnxruntime/onnx_session.h"
#include "workload/runtime/process_log.h"

namespace strobe::onnxruntime {
namespace {

// The provider opens these when the first session is made, and then the reason is hard to find. Empty: all are here.
std::string missing_gpu_library() {
  struct Needed {
    const char *name, *newer, *what;
  };
  for (const Needed& n :
       {Needed{"libcudnn.so.9", "libcudnn.so.9", "cuDNN 9"}, Needed{"libcublasLt.so.12", "libcublasLt.so.13", "cuBLAS"},
        Needed{"libcublas.so.12", "libcublas.so.13", "cuBLAS"},
        Needed{"libcudart.so.12", "libcudart.so.13", "the CUDA runtime"}}) {
    if (!Library::open(n.newer) && !Library::open(n.name))
      return fmt::format(
          "{} was not found ({}); ONNX Runtime's CUDA provider needs it: pip install 'onnxruntime-gpu[cuda,cudnn]' "
          "brings it, or name its folder in LD_LIBRARY_PATH",
          n.what, n.newer);
  }
  return {};
}

// The library has one environment in a process, and the logger that it was first given.
ProcessLog& process_log() {
  static ProcessLog log;
  return log;
}

class OnnxRuntime final : public Runtime {
 public:
  OnnxRuntime() : OnnxRuntime(open_library()) {}

  std::string name() const override { return "onnxruntime"; }
  std::string version() const override { return version_; }

  Capability runs_on(const Device& device) const override {
    if (device.info().kind == "cpu") return {};
    if (device.info().kind != "cuda") return {fmt::format("onnxruntime does not run on {}", device.info().kind)};
    const std::vector<std::string> providers = Ort::GetAvailableProviders();
    if (std::find(providers.begin(), providers.end(), "CUDAExecutionProvider") == providers.end())
      return {
          fmt::format("this library of onnxruntime {} was built for the CPU only; the one of the Python package "
                      "onnxruntime-gpu has CUDA (name it in STROBE_ONNXRUNTIME)",
                      version_)};
    open_cuda_libraries(library_);
    return {missing_gpu_library()};
  }

  std::unique_ptr<Session> load(const ModelOptions& options, Device& device) override {
    process_log().set(options.log);
    if (!env_) {
      env_ = guarded("cannot start ONNX Runtime",
                     [&] { return Ort::Env(ORT_LOGGING_LEVEL_WARNING, "strobe", &log_line, nullptr); });
      env_.DisableTelemetryEvents();  // where a library does not know the variable of open_library()
    }
    return std::make_unique<OnnxSession>(*this, env_, options, device);
  }

 private:
  explicit OnnxRuntime(Opened opened) : version_(std::move(opened.version)), library_(std::move(opened.library)) {}

  // The library's log into ours; it must not throw through C.
  static void ORT_API_CALL log_line(void*, OrtLoggingLevel level, const char* category, const char*, const char*,
                                    const char* message) noexcept {
    if (level >= ORT_LOGGING_LEVEL_ERROR) return;  // comes as an exception, too
    try {
      process_log().say(fmt::format("onnxruntime ({}): {}", category, message));
    } catch (...) {
    }
  }

  std::string version_;
  std::filesystem::path library_;
  Ort::Env env_{nullptr};
};

}  // namespace
}  // namespace strobe::onnxruntime

extern "C" const strobe::Plugin* strobe_plugin() {
  return strobe::plugin_of<strobe::onnxruntime::OnnxRuntime>();
}
