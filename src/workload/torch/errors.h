// Torch's exceptions turned into ours: one sentence, without the trace that torch adds.
#pragma once

#include <c10/util/Exception.h>
#include <new>
#include <string>

#include <strobe/error.h>

namespace strobe::torch_plugin {

// The line of a message that says what went wrong.
std::string readable(const std::string& message);

Error error_from(const std::exception&, const std::string& what);

// Calls f; an exception of torch becomes an Error about `what`.
template <class F>
auto guarded(const std::string& what, F&& f) {
  try {
    return f();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    throw error_from(e, what);
  }
}

}  // namespace strobe::torch_plugin
