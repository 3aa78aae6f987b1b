// SPDX-License-Identifier: Apache-2.0
// What is the same in every runtime's settings (--set KEY=VALUE): the words for on and off, and the refusal of a key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <strobe/error.h>

namespace strobe {

// Throws a usage Error about anything but 1, on, true, 0, off and false.
bool parse_switch(const std::string& key, const std::string& value);

// Lists the keys that `whose` knows.
Error unknown_setting(const std::string& key, std::string_view whose, const std::vector<std::string>& known);

}  // namespace strobe
