// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/profiler.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace strobe::cuda {
namespace {

std::string read_all(const char* path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::string profiler_in_maps(std::string_view maps) {
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kLibraries{
      {{"libToolsInjection", "Nsight Systems"},
       {"libnsys", "Nsight Systems"},
       {"libcuda-injection", "Nsight Compute"},
       {"libsanitizer-collection", "compute-sanitizer"},
       {"libcudadebugger", "cuda-gdb"}}};
  for (const auto& [library, tool] : kLibraries) {
    if (maps.find(library) != std::string_view::npos) return tool;
  }
  return {};
}

int tracer_in_status(std::string_view status) {
  constexpr std::string_view kKey = "TracerPid:";
  const std::size_t at = status.find(kKey);
  return at == std::string_view::npos ? 0 : std::atoi(status.data() + at + kKey.size());
}

std::string attached_profiler() {
  for (const char* name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "NSYS_PROFILING_SESSION_ID"}) {
    if (const char* value = std::getenv(name); value && *value) return fmt::format("{} is set", name);
  }
  if (const std::string tool = profiler_in_maps(read_all("/proc/self/maps")); !tool.empty())
    return fmt::format("{} is loaded", tool);
  if (const int pid = tracer_in_status(read_all("/proc/self/status")))
    return fmt::format("process {} traces this one", pid);
  return {};
}

}  // namespace strobe::cuda
