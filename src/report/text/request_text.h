// SPDX-License-Identifier: Apache-2.0
// What host and device did in one typical request of a run.
#pragma once

#include <string>

#include <strobe/record.h>

namespace strobe {

// Its lanes and what they mean; empty where the record has none.
std::string typical_request_text(const Record&);

// What the lanes cannot show: how much of its work the device waits, and how far its lane may be off.
std::string request_sentence(const Record&);

}  // namespace strobe
