#include "workload/builtin.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/inline_device.h"

namespace strobe {
namespace {

TEST(Builtin, SpinsAndSleepsAtLeastAsLongAsSaid) {
  InlineDevice cpu;
  for (const char* text : {"spin=300us", "sleep=300us"}) {
    const auto work = make_builtin(text, cpu);
    const nanoseconds begin = cpu.clock().now();
    work->submit(0);
    EXPECT_GE(cpu.clock().now() - begin, 300us) << text;
  }
}

TEST(Builtin, RefusesWhatItDoesNotKnow) {
  InlineDevice cpu;
  for (const char* text : {"", "nul", "null=3", "spin", "spin=", "spin=5", "dance=1ms"})
    EXPECT_THROW(make_builtin(text, cpu), Error) << text;
}

}  // namespace
}  // namespace strobe
