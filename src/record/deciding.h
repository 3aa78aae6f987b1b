// SPDX-License-Identifier: Apache-2.0
// By which of its metrics a measurement is judged.
#pragma once

#include <string_view>
#include <vector>

#include <strobe/record.h>

namespace strobe {

// The device waits for the host: what the host takes part in is the host's speed.
bool waits_for_host(const Record&);
// It does not: with a full queue the device alone sets the speed. Where nobody knows, neither is true.
bool keeps_busy(const Record&);

// Of a search the throughput; of a pipeline its latency, and the throughput of iterations in flight. Else of a queue
// the device time, and the throughput where the device decides it, otherwise the replayed graph; else the latency. Only
// what is known.
std::vector<std::string_view> deciding_metrics(const Record&);

}  // namespace strobe
