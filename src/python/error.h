// SPDX-License-Identifier: Apache-2.0
// strobe::Error as the exception of the same name in Python, with its parts and the word of its code.
#pragma once

#include <nanobind/nanobind.h>

namespace strobe::python {

void translate_errors();

// Of all codes: strobe/_error.py lists them for type checkers.
nanobind::tuple error_words();

// The other way round: throws Error where the exception is that of Python, and returns where it is another one.
void throw_as_error(const nanobind::python_error&);

}  // namespace strobe::python
