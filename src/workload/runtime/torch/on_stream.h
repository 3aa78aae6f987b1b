// SPDX-License-Identifier: Apache-2.0
// Puts the calling thread into inference mode and onto a stream for as long as this lives. Both are the thread's own,
// so every thread that submits enters anew; together they cost well under a microsecond.
#pragma once

#include <c10/core/InferenceMode.h>
#include <c10/core/StreamGuard.h>
#include <optional>

namespace strobe::torch_plugin {

class OnStream {
 public:
  explicit OnStream(const std::optional<c10::Stream>& stream) {
    if (stream) guard_.reset_stream(*stream);
  }

 private:
  c10::InferenceMode inference_;
  c10::OptionalStreamGuard guard_;
};

}  // namespace strobe::torch_plugin
