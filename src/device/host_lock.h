// SPDX-License-Identifier: Apache-2.0
// The lock that this thread lends while it waits (LendWhileWaiting): streams and devices give it, loops take it. A
// thread has at most one, and most have none: then both are a look at a pointer.
#pragma once

#include <strobe/workload.h>

namespace strobe {

// Before the host waits for a device.
void give_host_lock();
// Before the first clock reading of a request, so that taking it is not in its time.
void take_host_lock();

}  // namespace strobe
