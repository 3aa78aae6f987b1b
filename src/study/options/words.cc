// SPDX-License-Identifier: Apache-2.0
#include "study/options/words.h"

#include <string>

#include <strobe/words.h>

namespace strobe {
namespace {

template <const auto& Words, class T>
T value_of(std::string_view word, std::string_view what) {
  T value{};
  kinds::OneOf<Words>::read({std::string(word)}, what, value);
  return value;
}

}  // namespace

Effort parse_effort(std::string_view word, std::string_view what) {
  return value_of<kEffortWords, Effort>(word, what);
}

Cache parse_cache(std::string_view word, std::string_view what) {
  return value_of<kCacheWords, Cache>(word, what);
}

Io parse_io(std::string_view word, std::string_view what) {
  return value_of<kIoWords, Io>(word, what);
}

Copies parse_copies(std::string_view word, std::string_view what) {
  return value_of<kCopyWords, Copies>(word, what);
}

}  // namespace strobe
