// ONNX Runtime's library, opened at run time, and its errors turned into ours. The official C++ header is used with
// ORT_API_MANUAL_INIT, so nothing is linked.
#pragma once

#include <string>
#include <string_view>

#include <onnxruntime_cxx_api.h>

#include <strobe/error.h>

namespace strobe::onnxruntime {

// Opens the library (STROBE_ONNXRUNTIME names a file; else the one beside the plugin, else the system's) and gives its
// version. Throws Error when there is none, or one older than the header.
std::string open_library();

Error error_from(const Ort::Exception&, const std::string& what);

// Calls f; an exception of the runtime becomes an Error about `what`.
template <class F>
auto guarded(const std::string& what, F&& f) {
  try {
    return f();
  } catch (const Ort::Exception& e) {
    throw error_from(e, what);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, what, "the host has no memory left", "Use a smaller batch or shape.");
  }
}

}  // namespace strobe::onnxruntime
