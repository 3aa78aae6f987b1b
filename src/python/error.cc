// SPDX-License-Identifier: Apache-2.0
#include "python/error.h"

#include <array>
#include <exception>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <strobe/error.h>

namespace strobe::python {
namespace {

namespace nb = nanobind;

struct CodeWord {
  ErrorCode code;
  const char* word;
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

const char* word_of(ErrorCode code) {
  for (const CodeWord& c : kCodeWords) {
    if (c.code == code) return c.word;
  }
  return "failed";
}

ErrorCode code_of(const std::string& word) {
  for (const CodeWord& c : kCodeWords) {
    if (c.word == word) return c.code;
  }
  return ErrorCode::failed;
}

nb::object error_class() {
  return nb::module_::import_("strobe._error").attr("Error");
}

}  // namespace

// The class is Python's own (strobe/_error.py), so that it has documentation and can be pickled.
void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& e) {
      const nb::object type = error_class();
      const nb::object error = type(word_of(e.code()), e.thing(), e.cause(), e.advice());
      PyErr_SetObject(type.ptr(), error.ptr());
    }
  });
}

void throw_as_error(const nb::python_error& raised) {
  if (!raised.matches(error_class())) return;
  const nb::handle e = raised.value();
  const auto part = [&](const char* name) { return nb::cast<std::string>(e.attr(name)); };
  throw Error(code_of(part("code")), part("what"), part("cause"), part("advice"));
}

}  // namespace strobe::python
