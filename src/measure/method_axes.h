// SPDX-License-Identifier: Apache-2.0
// The axes of a method as words: a row each, from which users' texts are read and a record's settings are written.
#pragma once

#include <string>
#include <string_view>

#include <strobe/record.h>

#include "measure/method.h"

namespace strobe {

// The axes as settings of a case. `gate`: how the device holds a stream where the method does not care.
Scalars axes(const Method&, const std::string& gate = "wait-value");

// "clock=device,wait=none,scope=block": what is not named is as in `Method`. Throws Error (usage) for words that there
// are not; whether the combination has a meaning is `check_method`'s question.
Method parse_method(std::string_view text);

// The axes that differ from the defaults of `Method`, in one order: equal methods have equal texts.
std::string method_text(const Method&);

}  // namespace strobe
