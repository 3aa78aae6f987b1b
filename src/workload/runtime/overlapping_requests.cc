// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/overlapping_requests.h"

#include <fmt/format.h>

#include <strobe/error.h>

#include "device/host_lock.h"

namespace strobe {

OverlappingRequests::OverlappingRequests(const Clock& clock, Plan plan)
    : clock_(clock), plan_(std::move(plan)), taken_(plan_.places), ends_(plan_.places) {}

OverlappingRequests::~OverlappingRequests() {
  while (out_ > 0) {
    try {
      next_end();
    } catch (const std::exception&) {  // nobody asks any more
    }
  }
}

std::size_t OverlappingRequests::start(std::size_t request) {
  std::size_t place = request % places();
  for (std::size_t tried = 0; taken_[place]; ++tried) {
    if (tried == places())
      throw Error(ErrorCode::failed, "cannot start another request", fmt::format("all {} are outstanding", places()));
    place = place + 1 == places() ? 0 : place + 1;
  }
  plan_.start(place);
  taken_[place] = true;
  ++out_;
  return place;
}

Overlapping::End OverlappingRequests::next_end() {
  give_host_lock();
  std::unique_lock lock(mutex_);
  some_.wait(lock, [this] { return count_ > 0; });
  const End end = ends_[head_];
  head_ = head_ + 1 == ends_.size() ? 0 : head_ + 1;
  --count_;
  lock.unlock();
  taken_[end.place] = false;
  --out_;
  plan_.finish(end.place);
  return end;
}

// The time is read under the lock, so that ends are in the order of their times. Told behind it: whoever waits would
// wake only to wait for the lock, at the cost of the runtime's thread. So finish() has to wait until this has returned.
void OverlappingRequests::ended(std::size_t place) {
  {
    const std::lock_guard lock(mutex_);
    ends_[(head_ + count_) % ends_.size()] = {place, clock_.now()};
    ++count_;
  }
  some_.notify_one();
}

}  // namespace strobe
