// SPDX-License-Identifier: Apache-2.0
#include "measure/trip.h"

#include <fmt/format.h>

#include "base/if_possible.h"
#include "device/device.h"

namespace strobe {

std::optional<std::uint64_t> kernels_of_request(Workload& workload, bool tripped, std::size_t& next_request) {
  std::optional<std::uint64_t> kernels = workload.kernels();
  // A callable that waits for itself may end the process when that fails inside a capture; a runtime throws.
  const bool bears_it = !tripped || dynamic_cast<Session*>(&workload);
  if (kernels || !bears_it) return kernels;
  Stream& stream = workload.stream();
  if_possible([&] { kernels = stream.device().count_kernels(stream, [&] { workload.submit(next_request++); }); });
  return kernels;
}

std::optional<std::string> why_queue_is_full(Device& device, std::optional<std::uint64_t> kernels,
                                             std::string_view who) {
  std::optional<std::uint64_t> depth;
  if (kernels) if_possible([&] { depth = device.queue_depth(); });
  if (!depth || *kernels < *depth) return std::nullopt;
  return fmt::format(
      "{} launches {} kernels, and the device's queue has room for {}: they cannot all be queued before it starts", who,
      *kernels, *depth);
}

std::optional<std::string> explain_trip(Workload& workload, std::size_t requests, std::string_view who,
                                        std::size_t& next_request) {
  std::optional<std::uint64_t> kernels = kernels_of_request(workload, true, next_request);
  if (kernels) *kernels *= requests;
  return why_queue_is_full(workload.stream().device(), kernels, who);
}

}  // namespace strobe
