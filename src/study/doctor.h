// SPDX-License-Identifier: Apache-2.0
// `strobe doctor`: this machine, its devices and runtimes, what timing costs here, and what would spoil a measurement.
#pragma once

#include <strobe/record.h>

namespace strobe {

Record examine_machine();

}  // namespace strobe
