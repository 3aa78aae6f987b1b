// SPDX-License-Identifier: Apache-2.0
#include "measure/timeline.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"

namespace strobe {

Anchor take_anchor(Stream& stream, Clock& clock) {
  Anchor best;
  best.uncertainty = nanoseconds::max();
  for (std::size_t i = 0; i < kAnchorTries; ++i) {
    const nanoseconds begin = clock.now();
    const Mark mark = stream.mark();
    stream.wait(mark);
    const nanoseconds half = (clock.now() - begin) / 2;
    if (half < best.uncertainty) best = {mark, begin + half, half};
  }
  return best;
}

ClockMap::ClockMap(Stream& stream, const Anchor& before, const Anchor& after)
    : stream_(&stream),
      before_(before),
      uncertainty_(std::max(before.uncertainty, after.uncertainty)),
      within_reach_(after.host - before.host <= 2 * kAnchorReach) {
  const nanoseconds device = stream.between(before.mark, after.mark);
  if (device > 0ns) scale_ = to_double(after.host - before.host) / to_double(device);
}

nanoseconds ClockMap::host_time(Mark m) const {
  return before_.host + to_nanoseconds(to_double(stream_->between(before_.mark, m)) * scale_);
}

std::string timeline_refusal(bool within_reach, nanoseconds uncertainty, double latency_ns) {
  if (!within_reach) return "it takes too long: the clocks of host and device drift apart";
  const double off = to_double(uncertainty);
  if (off <= kTimelineTolerance * latency_ns) return {};
  return fmt::format("marks can be placed on the host's time line to ±{} only, {} of the latency",
                     format_time(uncertainty), format_percent(off / latency_ns));
}

}  // namespace strobe
