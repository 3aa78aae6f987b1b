// SPDX-License-Identifier: Apache-2.0
// Text from outside (names of files, tensors and stages, messages of libraries), safe to print: it can neither begin a
// line nor steer a terminal. Only for people to read: records keep the text as it came.
#pragma once

#include <string>
#include <string_view>

namespace strobe {

// Control characters, what reverses the direction of writing and what is not UTF-8 become visible: \n, \x1b, \u202e,
// \xff. Everything else stays as it is.
std::string printable(std::string_view text);

}  // namespace strobe
