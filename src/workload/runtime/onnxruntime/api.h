// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's library, opened at run time, and its errors turned into ours. The official C++ header is used with
// ORT_API_MANUAL_INIT, so nothing is linked.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include <onnxruntime_cxx_api.h>

#include <strobe/error.h>

#include "workload/runtime/error_words.h"

namespace strobe::onnxruntime {

// Opens the library (STROBE_ONNXRUNTIME names a file; else the one beside the plugin, else the system's) and gives its
// version. Throws Error when there is none, or one older than the header.
std::string open_library();

Error error_from(const std::exception&, const std::string& what);

template <class F>
auto guarded(const std::string& what, F&& f) {
  return strobe::guarded(error_from, what, std::forward<F>(f));
}

}  // namespace strobe::onnxruntime
