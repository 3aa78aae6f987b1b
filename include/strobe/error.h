// SPDX-License-Identifier: Apache-2.0
// The one exception type of Strobe. Every failure names the thing, the cause, and what to do about it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace strobe {

enum class ErrorCode {
  usage,           // what was asked for contradicts itself or the model: fix the request
  not_found,       // a file, model, device or library that is not there
  bad_input,       // a file that is not what it should be
  unsupported,     // understood, but this build, device or runtime cannot do it
  out_of_memory,   // ordinary, and typed, because searches for the largest batch run into it on purpose
  device_lost,     // nothing more can be done on the device in this process
  failed,          // a runtime, driver or operating system call failed
  unwritable,      // a result could not be written
  changed,         // a model's files are not what they were when it was first loaded
  invalid_method,  // a combination of timing axes that cannot be read
  interrupted,     // the user asked to stop
};

// As records, workers and other languages write it: "not-found".
std::string_view error_code_word(ErrorCode);
ErrorCode error_code_of(std::string_view word);  // `failed` for a word that is none of them

class Error : public std::runtime_error {
 public:
  // The sentence shown is "what: cause. advice"; empty parts are left out.
  Error(ErrorCode code, std::string what, std::string cause = {}, std::string advice = {});

  ErrorCode code() const noexcept { return code_; }
  const std::string& thing() const noexcept { return thing_; }
  const std::string& cause() const noexcept { return cause_; }
  const std::string& advice() const noexcept { return advice_; }

 private:
  ErrorCode code_;
  std::string thing_, cause_, advice_;
};

}  // namespace strobe
