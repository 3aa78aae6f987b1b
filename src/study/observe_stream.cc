// SPDX-License-Identifier: Apache-2.0
#include "study/observe_stream.h"

#include "device/device.h"

namespace strobe {

void observe_stream(Workload& workload, Record& r) {
  Stream& stream = workload.stream();
  const auto pause = stream.device().kernel_pause(stream);
  if (!pause) return;
  const StreamLevels& levels = stream.device().stream_levels();
  StreamObservation& seen = r.observations.stream.emplace();
  seen.pause_ns = *pause;
  const StreamLevel level = levels.level_of(*pause);
  if (level == StreamLevel::any) return;
  seen.level = name(level);
  seen.fast_pause_ns = levels.pause(StreamLevel::fast);
  seen.slow_pause_ns = levels.pause(StreamLevel::slow);
  seen.fast = levels.count(StreamLevel::fast);
  seen.slow = levels.count(StreamLevel::slow);
}

}  // namespace strobe
