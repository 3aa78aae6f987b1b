// SPDX-License-Identifier: Apache-2.0
// A record whose texts are safe to print (base/printable.h): what a report for a terminal is made from, so that no line
// of it has to think of names and messages that came from outside.
#pragma once

#include <strobe/record.h>

namespace strobe {

Record printable(Record);

}  // namespace strobe
