// SPDX-License-Identifier: Apache-2.0
// Requests that a runtime makes beside each other, whatever runtime it is: which places are taken, which requests have
// ended and when. How one is started is the session's.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

#include <strobe/workload.h>

#include "device/clock.h"

namespace strobe {

class OverlappingRequests final : public Overlapping {
 public:
  struct Plan {
    std::size_t streams = 1, outstanding = 1, places = 1;
    // Returns before the request is done; then ended() is called, on any thread.
    std::function<void(std::size_t place)> start = {};
    // After that, on the thread that waits: returns when ended() has returned, and throws what the request threw.
    std::function<void(std::size_t place)> finish = {};
  };
  OverlappingRequests(const Clock&, Plan);
  ~OverlappingRequests() override;  // waits for those that are out
  OverlappingRequests(const OverlappingRequests&) = delete;
  OverlappingRequests& operator=(const OverlappingRequests&) = delete;

  std::size_t streams() const override { return plan_.streams; }
  std::size_t outstanding() const override { return plan_.outstanding; }
  std::size_t places() const override { return plan_.places; }
  // At the place of its number, or at the next that is free.
  std::size_t start(std::size_t request) override;
  End next_end() override;

  void ended(std::size_t place);

 private:
  const Clock& clock_;
  Plan plan_;
  std::vector<char> taken_;  // by place; of the thread that starts and waits
  std::size_t out_ = 0;
  std::mutex mutex_;
  std::condition_variable some_;
  std::vector<End> ends_;  // a ring of those that nobody was given yet, the oldest first
  std::size_t head_ = 0, count_ = 0;
};

}  // namespace strobe
