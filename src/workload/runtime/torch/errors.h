// SPDX-License-Identifier: Apache-2.0
// Torch's exceptions turned into ours: one sentence, without the trace that torch adds.
#pragma once

#include <c10/util/Exception.h>
#include <string>
#include <utility>

#include <strobe/error.h>

#include "workload/runtime/error_words.h"

namespace strobe::torch_plugin {

// The line of a message that says what went wrong.
std::string readable(const std::string& message);

Error error_from(const std::exception&, const std::string& what);

template <class F>
auto guarded(const std::string& what, F&& f) {
  return strobe::guarded(error_from, what, std::forward<F>(f));
}

}  // namespace strobe::torch_plugin
