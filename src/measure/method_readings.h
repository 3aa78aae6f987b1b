// SPDX-License-Identifier: Apache-2.0
// From samples to what a method reads of them, in ns per request. No loops, no clocks.
#pragma once

#include <optional>
#include <vector>

#include <strobe/record.h>

#include "measure/end_marks.h"
#include "measure/method.h"
#include "measure/sample.h"

namespace strobe {

// Of a segment: of each kept sample, or one of all where it is the rate of a full queue that counts.
std::vector<double> readings_of(const Samples&, const Method&, const FullWindow& = {});

// Of one of the first requests, which all clocks timed at once.
double cold_reading(const Sample&, const Method&);

// The first requests in place of as many readings. A block is `block` requests, of which these were the first.
void put_cold_first(const Samples& cold, std::size_t warmup, const Method&, std::size_t block,
                    std::vector<double>& readings);

// Did this segment fill the queue? Only a host that never waits for a request can.
std::optional<FullQueue> queue_filled_by(const Samples&, const Method&);
// What most of `segments` segments saw, if they did.
std::optional<FullQueue> usual_queue(std::vector<FullQueue> seen, std::size_t segments);

}  // namespace strobe
