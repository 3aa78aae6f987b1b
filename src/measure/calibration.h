// What this machine's clocks, marks and waits cost: stored in every record, printed by `doctor`, never subtracted.
#pragma once

#include <map>
#include <span>
#include <string>

#include <strobe/record.h>

#include "device/device.h"

namespace strobe {

using Calibration = std::map<std::string, double, std::less<>>;

// clock_read_ns, clock_tick_ns of the host's clock; for an asynchronous device also mark_ns (host cost of recording),
// mark_pair_ns (a pair around nothing, queued), mark_tick_ns, sync_ns (waiting for an idle stream), device_sync_ns.
// On a GPU also launch_ns and the like (device/cuda/calibration.h); `thorough` adds what takes a second.
Calibration calibrate(Device&, bool thorough = false);

// A fixed piece of work of about half a millisecond on the host: what slows it slows everything. Gives its time.
nanoseconds canary(Clock&);
// What such times, in ns, say of the host's quiet; nothing where there are none.
void describe_canary(std::span<const double> times, Telemetry&);

}  // namespace strobe
