// SPDX-License-Identifier: Apache-2.0
#include "python/error.h"

#include <exception>
#include <string>
#include <string_view>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <strobe/error.h>

namespace strobe::python {
namespace {

namespace nb = nanobind;

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
      const std::string_view word = error_code_word(e.code());
      const nb::object error = type(nb::str(word.data(), word.size()), e.thing(), e.cause(), e.advice());
      PyErr_SetObject(type.ptr(), error.ptr());
    }
  });
}

nb::tuple error_words() {
  nb::list words;
  for (int i = 0; i <= static_cast<int>(ErrorCode::interrupted); ++i) {
    const std::string_view word = error_code_word(static_cast<ErrorCode>(i));
    words.append(nb::str(word.data(), word.size()));
  }
  return nb::tuple(words);
}

void throw_as_error(const nb::python_error& raised) {
  if (!raised.matches(error_class())) return;
  const nb::handle e = raised.value();
  const auto part = [&](const char* name) { return nb::cast<std::string>(e.attr(name)); };
  throw Error(error_code_of(part("code")), part("what"), part("cause"), part("advice"));
}

}  // namespace strobe::python
