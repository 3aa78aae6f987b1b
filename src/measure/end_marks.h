// SPDX-License-Identifier: Apache-2.0
// Marks with a time at the end of two requests of a full queue: the first that counts, and the last. The host may read
// an end late, and while the queue is still filling it reads all of them at its own pace: the device knows better.
#pragma once

#include <cstddef>
#include <optional>

#include <strobe/workload.h>

#include "base/units.h"

namespace strobe {

// Requests that ended after a first one, and the device's time between the two ends.
struct FullWindow {
  std::size_t requests = 0;  // none: nothing is known
  nanoseconds length{};
};

class EndMarks {
 public:
  // Of the stream on which requests end. Makes room now, and none later.
  explicit EndMarks(Stream& stream) : stream_(stream), apart_(stream.ends_apart()) {
    if (apart_) stream.reserve(2);
  }

  // After the request with this number was queued.
  void begin_once(std::size_t number) {
    if (first_ || !apart_) return;
    first_ = stream_.mark();
    from_ = number;
  }
  // After the last one.
  void end() {
    if (first_) last_ = stream_.mark();
  }
  // `requests`: all that were queued. The host waits.
  FullWindow window(std::size_t requests) {
    if (!first_ || requests < from_ + 2) return {};
    stream_.wait(last_);
    return {requests - 1 - from_, stream_.between(*first_, last_)};
  }

 private:
  Stream& stream_;
  const bool apart_;
  std::optional<Mark> first_;
  Mark last_{};
  std::size_t from_ = 0;
};

}  // namespace strobe
