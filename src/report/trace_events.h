// SPDX-License-Identifier: Apache-2.0
// The time line of records as a file of trace events, which Perfetto and chrome://tracing open: a process for each
// record, a track for each lane, and what was sampled beside the run as counters.
#pragma once

#include <span>
#include <string>

#include <strobe/record.h>

namespace strobe {

// Spans of a lane that overlap without lying within each other get a further track. Times are microseconds from the
// begin of the time line.
std::string trace_events_of(std::span<const Record>);

}  // namespace strobe
