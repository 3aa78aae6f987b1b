// SPDX-License-Identifier: Apache-2.0
// Errors of runtimes turned into ours: what their texts say where their kind is lost.
#pragma once

#include <exception>
#include <string>

#include <strobe/error.h>

#include "device/device.h"

namespace strobe {

// Out of memory, device lost (a kernel broke the CUDA context), or just failed.
Error error_by_words(const std::string& what, const std::string& cause);

// The same, or that a kernel broke the context, which runtimes hide behind whatever they were doing when it showed.
Error seen_through(Error, Stream&);

// Calls f. What a runtime throws becomes an Error about `what`, by the runtime's own `error_from`; an Error stays.
template <class ErrorFrom, class F>
auto guarded(const ErrorFrom& error_from, const std::string& what, F&& f) {
  try {
    return f();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    throw error_from(e, what);
  }
}

}  // namespace strobe
