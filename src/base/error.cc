// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
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

struct CodeWord {
  ErrorCode code;
  std::string_view word;
};
constexpr std::array kCodeWords{CodeWord{ErrorCode::usage, "usage"},
                                CodeWord{ErrorCode::not_found, "not-found"},
                                CodeWord{ErrorCode::bad_input, "bad-input"},
                                CodeWord{ErrorCode::unsupported, "unsupported"},
                                CodeWord{ErrorCode::out_of_memory, "out-of-memory"},
                                CodeWord{ErrorCode::device_lost, "device-lost"},
                                CodeWord{ErrorCode::failed, "failed"},
                                CodeWord{ErrorCode::unwritable, "unwritable"},
                                CodeWord{ErrorCode::changed, "changed"},
                                CodeWord{ErrorCode::invalid_method, "invalid-method"},
                                CodeWord{ErrorCode::interrupted, "interrupted"}};

}  // namespace

std::string_view error_code_word(ErrorCode code) {
  const auto it = std::find_if(kCodeWords.begin(), kCodeWords.end(), [&](const CodeWord& c) { return c.code == code; });
  return it == kCodeWords.end() ? error_code_word(ErrorCode::failed) : it->word;
}

ErrorCode error_code_of(std::string_view word) {
  const auto it = std::find_if(kCodeWords.begin(), kCodeWords.end(), [&](const CodeWord& c) { return c.word == word; });
  return it == kCodeWords.end() ? ErrorCode::failed : it->code;
}

Error::Error(ErrorCode code, std::string what, std::string cause, std::string advice)
    : std::runtime_error(sentence(trimmed(what), trimmed(cause), advice)),
      code_(code),
      thing_(trimmed(std::move(what))),
      cause_(trimmed(std::move(cause))),
      advice_(std::move(advice)) {}

}  // namespace strobe
