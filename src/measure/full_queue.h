// SPDX-License-Identifier: Apache-2.0
// Submit times of requests that nobody waits for: the host runs ahead of the device until the queue of kernel launches
// is full, and from then on it waits in each submit for a place. That shows as a step from the host's own pace to the
// device's, so no driver has to be asked for its depth.
#pragma once

#include <optional>
#include <span>

#include <strobe/record.h>

namespace strobe {

// `submit_ns`: in the order of submission, the first into an empty queue. Nothing where there is no such step: a step
// of less than half is none, nor is one after which fewer than two requests came.
std::optional<FullQueue> find_full_queue(std::span<const double> submit_ns);

}  // namespace strobe
