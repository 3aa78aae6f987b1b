// SPDX-License-Identifier: Apache-2.0
// Iterations in flight, in words: what overlapping wins, and what bounds it.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>

namespace strobe {

// How long an iteration takes and how many there are a second, one at a time and in flight, as one sentence.
std::string overlap_rates(const Record&);

// What overlapping wins and whether the next run would find it, what bounds it, then how busy each lane is. Empty
// without iterations in flight.
std::vector<std::string> overlap_sentences(const Record&);

// The section of the text.
std::string overlap_text(const Record&);

}  // namespace strobe
