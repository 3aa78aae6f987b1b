// SPDX-License-Identifier: Apache-2.0
// A request that does not end: the call that it is told hangs for good, and says so to who waits for that.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace strobe::testing {

class Stuck {
 public:
  explicit Stuck(std::size_t call = SIZE_MAX) : call_(call) {}

  void operator()() {
    std::unique_lock lock(mutex_);
    if (calls_++ < call_) return;
    here_ = true;
    changed_.notify_all();
    changed_.wait(lock, [] { return false; });
  }
  // The next call hangs.
  void arm() {
    const std::lock_guard lock(mutex_);
    call_ = calls_;
  }
  void wait_until_stuck() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return here_; });
  }

 private:
  std::size_t calls_ = 0, call_;
  bool here_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace strobe::testing
