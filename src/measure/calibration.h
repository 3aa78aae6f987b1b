// SPDX-License-Identifier: Apache-2.0
// What this machine's clocks, marks and waits cost: stored in every record, printed by `doctor`, never subtracted.
#pragma once

#include <span>

#include <strobe/record.h>

#include "device/device.h"

namespace strobe {

// clock_read_ns, clock_tick_ns of the host's clock; for an asynchronous device also mark_ns (host cost of recording),
// mark_pair_ns (a pair around nothing, queued), mark_tick_ns, sync_ns (waiting for an idle stream), device_sync_ns; on
// the CPU empty_request_ns (a request that does nothing).
// Then what the device adds of its own: launch_ns and the like on a GPU.
Calibration calibrate(Device&, Depth = Depth::brief);

// A fixed piece of work of about half a millisecond on the host: what slows it slows everything. Gives its time.
nanoseconds canary(Clock&);
// What such times, in ns, say of the host's quiet; nothing where there are none.
void describe_canary(std::span<const double> times, Telemetry&);

}  // namespace strobe
