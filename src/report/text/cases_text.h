// SPDX-License-Identifier: Apache-2.0
// Records with several results as text: ways to time, points of a sweep, checks of the machine or of strobe itself.
#pragma once

#include <string>

#include <strobe/record.h>

namespace strobe {

std::string methods_table(const Record&);
std::string sweep_table(const Record&);
std::string doctor_table(const Record&);
std::string selftest_table(const Record&);

}  // namespace strobe
