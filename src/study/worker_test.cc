// SPDX-License-Identifier: Apache-2.0
#include "study/worker.h"

#include <csignal>
#include <functional>
#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

#include "host/process.h"

namespace strobe {
namespace {

// As a library's destructor or thread does that never thinks of it.
void run_where_nobody_catches(const std::function<void()>& work) noexcept {
  work();
}

template <class Thrown>
void throw_where_nobody_catches() {
  run_where_nobody_catches([] { throw Thrown(); });
}

struct Surprise : std::runtime_error {
  Surprise() : std::runtime_error("bad_alloc, it says") {}
};

TEST(WorkerDeathTest, OfMissingMemoryHasAnExitCodeOfItsOwn) {
  const auto end_by_memory = [] {
    tell_when_memory_ends();
    throw_where_nobody_catches<std::bad_alloc>();
  };
  EXPECT_EXIT(end_by_memory(), ::testing::ExitedWithCode(71), "");
  const auto end_by_surprise = [] {
    tell_when_memory_ends();
    throw_where_nobody_catches<Surprise>();
  };
  EXPECT_EXIT(end_by_surprise(), ::testing::KilledBySignal(SIGABRT), "it says");
}

TEST(WorkerLost, KnowsMissingMemoryByTheExitCodeNotByWords) {
  EXPECT_TRUE(WorkerLost({71, 0, {}, {}}, false).out_of_memory);
  EXPECT_FALSE(WorkerLost({-1, SIGABRT, {}, "std::bad_alloc"}, false).out_of_memory);
  EXPECT_FALSE(WorkerLost({71, 0, {}, {}}, true).out_of_memory);
}

}  // namespace
}  // namespace strobe
