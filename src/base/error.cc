// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <strobe/error.h>

namespace strobe {
namespace {

// Causes come from many libraries: with and without a full stop, with trailing newlines.
std::string trimmed(std::string s) {
  while (!s.empty() && (s.back() == '.' || s.back() == '\n' || s.back() == '\r' || s.back() == ' ')) s.pop_back();
  return s;
}

std::string sentence(const std::string& thing, const std::string& cause, const std::string& advice) {
  std::string s = thing;
  if (!cause.empty()) s += ": " + cause;
  if (!advice.empty()) s += ". " + advice;
  return s;
}

}  // namespace

Error::Error(ErrorCode code, std::string what, std::string cause, std::string advice)
    : std::runtime_error(sentence(trimmed(what), trimmed(cause), advice)),
      code_(code),
      thing_(trimmed(std::move(what))),
      cause_(trimmed(std::move(cause))),
      advice_(std::move(advice)) {}

}  // namespace strobe
