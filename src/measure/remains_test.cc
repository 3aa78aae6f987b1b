// A request that does not end: another thread takes what was measured before it.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "device/inline_device.h"
#include "measure/measurement.h"
#include "workload/callable.h"

namespace strobe {
namespace {

// Requests of `length`; number `stuck` does not end.
class Stuck {
 public:
  Stuck(std::size_t stuck, nanoseconds length) : stuck_(stuck), length_(length) {}

  void operator()() {
    std::unique_lock lock(mutex_);
    if (calls_++ == stuck_) {
      here_ = true;
      changed_.notify_all();
      changed_.wait(lock, [] { return false; });
    }
    lock.unlock();
    std::this_thread::sleep_for(length_);
  }
  void wait_until_stuck() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return here_; });
  }

 private:
  std::size_t calls_ = 0, stuck_;
  nanoseconds length_;
  bool here_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
};

// Ends the process, as the program does: the thread that measures is stuck for good.
[[noreturn]] void exit_with_kept(std::size_t stuck, nanoseconds length) {
  InlineDevice device;
  Stuck stick(stuck, length);
  Callable work([&] { stick(); }, device.stream(), 1);
  Remains remains;
  std::thread([&] { measure_rounds(work, {.warmup = 0}, &remains); }).detach();
  stick.wait_until_stuck();
  const Measurement* m = remains.take();
  int kept = 0;
  for (const Sample& s : m ? m->passes.front().trace : Trace{}) kept += s.state == SampleState::kept;
  ::_exit(m && m->status != Status::interrupted ? 255 : std::min(kept, 100));
}

TEST(Remains, AreNothingInTheFirstRequest) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_kept(0, 1ms), testing::ExitedWithCode(0), "");
}

TEST(Remains, AreTheSegmentsBeforeTheRequest) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_kept(500, 1ms), testing::ExitedWithCode(100), "");  // 100 or more
}

TEST(Remains, OfSlowRequestsAreAllOfThem) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // Of five the first is the probe's, the second settles.
  EXPECT_EXIT(exit_with_kept(5, 150ms), testing::ExitedWithCode(3), "");
}

}  // namespace
}  // namespace strobe
