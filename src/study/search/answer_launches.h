// SPDX-License-Identifier: Apache-2.0
// What a search reports of its answer: the best of many points is lucky, and a single process is one observation, so
// the answer is measured again in fresh ones.
#pragma once

#include <vector>

#include <strobe/record.h>

namespace strobe {

// The record was judged by what its trials read. From now on its results are those of the launches: what detectors say
// of them counts where nearly all launches show it, and the answer repeats within `margin`, or varies.
void answer_with_launches(std::vector<Record> launches, double margin, Record&);

}  // namespace strobe
