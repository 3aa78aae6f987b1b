// SPDX-License-Identifier: Apache-2.0
// Requests that were submitted and are not done: a ring, the oldest first. What is known of each is the caller's.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <strobe/workload.h>

namespace strobe {

template <class About>
class Queue {
 public:
  // `ends`: the stream of their end marks, which must have room for so many. Makes its own room now, and none later.
  Queue(Stream& ends, std::size_t depth) : ends_(ends), ring_(depth) {}

  bool full() const { return count_ == ring_.size(); }
  bool empty() const { return count_ == 0; }

  void push(About about, Mark end) {
    ring_[(head_ + count_) % ring_.size()] = {std::move(about), end};
    ++count_;
  }
  // Is the oldest done? The host does not wait.
  bool done() { return !empty() && ends_.reached(ring_[head_].end); }
  // Waits for the oldest.
  About pop() {
    Outstanding& oldest = ring_[head_];
    ends_.wait(oldest.end);
    head_ = head_ + 1 == ring_.size() ? 0 : head_ + 1;
    --count_;
    return std::move(oldest.about);
  }

 private:
  struct Outstanding {
    About about{};
    Mark end;
  };
  Stream& ends_;
  std::vector<Outstanding> ring_;
  std::size_t head_ = 0, count_ = 0;
};

}  // namespace strobe
