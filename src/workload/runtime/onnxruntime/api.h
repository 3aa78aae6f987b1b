// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's library, opened at run time, and its errors turned into ours. The official C++ header is used with
// ORT_API_MANUAL_INIT, so nothing is linked.
#pragma once

#include <exception>
#include <filesystem>
#include <string>
#include <utility>

#include <onnxruntime_cxx_api.h>

#include <strobe/error.h>

#include "workload/runtime/error_words.h"

namespace strobe::onnxruntime {

struct Opened {
  std::string version;
  std::filesystem::path library;
};

// Opens the library: STROBE_ONNXRUNTIME names a file; else the one beside the plugin, that of the Python package in our
// environment, the system's. Throws Error when there is none, or one older than the header.
Opened open_library();

// What the provider for CUDA beside this library needs, from NVIDIA's packages in the library's environment or in ours:
// the provider is opened with the first session, and finds only what is open or on LD_LIBRARY_PATH.
void open_cuda_libraries(const std::filesystem::path& library);

Error error_from(const std::exception&, const std::string& what);

template <class F>
auto guarded(const std::string& what, F&& f) {
  return strobe::guarded(error_from, what, std::forward<F>(f));
}

}  // namespace strobe::onnxruntime
