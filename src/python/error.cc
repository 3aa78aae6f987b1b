// SPDX-License-Identifier: Apache-2.0
#include "python/error.h"

#include <exception>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <strobe/error.h>

namespace strobe::python {
namespace {

namespace nb = nanobind;

const char* word_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return "usage";
    case ErrorCode::not_found:
      return "not-found";
    case ErrorCode::bad_input:
      return "bad-input";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::out_of_memory:
      return "out-of-memory";
    case ErrorCode::device_lost:
      return "device-lost";
    case ErrorCode::failed:
      return "failed";
    case ErrorCode::unwritable:
      return "unwritable";
    case ErrorCode::changed:
      return "changed";
    case ErrorCode::invalid_method:
      return "invalid-method";
    case ErrorCode::interrupted:
      return "interrupted";
  }
  return "failed";
}

}  // namespace

// The class is Python's own (strobe/_error.py), so that it has documentation and can be pickled.
void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& e) {
      const nb::object type = nb::module_::import_("strobe._error").attr("Error");
      const nb::object error = type(word_of(e.code()), e.thing(), e.cause(), e.advice());
      PyErr_SetObject(type.ptr(), error.ptr());
    }
  });
}

}  // namespace strobe::python
