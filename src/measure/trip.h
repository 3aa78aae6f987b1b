// SPDX-License-Identifier: Apache-2.0
// Why a workload tripped the gate. A queue without room and a wait inside look alike there: the number of kernels that
// it launches, against the room that the device was found to have, tells which it was. Only to be asked after
// everything that is measured: a request may be captured for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <strobe/workload.h>

namespace strobe {

// The kernels of one request: as the workload says, or by a capture of one that never runs. One that `tripped` is
// captured only where a failure inside the capture is borne; nothing where nobody can tell.
std::optional<std::uint64_t> kernels_of_request(Workload&, bool tripped, std::size_t& next_request);

// The sentence where so many kernels of `who` are more than the device's queue takes; nothing where they fit, or where
// either number is unknown.
std::optional<std::string> why_queue_is_full(Device&, std::optional<std::uint64_t> kernels,
                                             std::string_view who = "a request");

// Both, of a workload that tripped the gate with `requests` of its requests.
std::optional<std::string> explain_trip(Workload&, std::size_t requests, std::string_view who,
                                        std::size_t& next_request);

}  // namespace strobe
