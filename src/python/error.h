// SPDX-License-Identifier: Apache-2.0
// strobe::Error as the exception of the same name in Python, with its parts and the word of its code.
#pragma once

namespace strobe::python {

void translate_errors();

}  // namespace strobe::python
