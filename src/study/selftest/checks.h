// SPDX-License-Identifier: Apache-2.0
// A check of Strobe itself as a case of its record, and what they say together.
#pragma once

#include <span>
#include <string>

#include <strobe/record.h>

namespace strobe {

Case checked(std::string name, std::string expected, std::string got, bool ok, std::string about);

Verdict verdict_of_checks(std::span<const Case>);

}  // namespace strobe
