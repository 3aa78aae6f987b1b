// SPDX-License-Identifier: Apache-2.0
// Iterations in flight, in words: what overlapping wins, and what bounds it.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>

namespace strobe {

// What bounds it first, then how busy each lane is. Empty without iterations in flight.
std::vector<std::string> overlap_sentences(const Record&);

// What overlapping wins, as one sentence.
std::string overlap_gain(const Record&);

// The section of the text.
std::string overlap_text(const Record&);

}  // namespace strobe
