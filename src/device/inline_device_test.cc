// SPDX-License-Identifier: Apache-2.0
#include "device/inline_device.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/open_device.h"

namespace strobe {
namespace {

TEST(InlineDevice, SaysWhyItCannotDoWhatAQueueCan) {
  InlineDevice cpu;
  EXPECT_FALSE(cpu.can().asynchronous);
  EXPECT_FALSE(cpu.can().gate.why_not.empty());
  const auto stream = cpu.stream();
  EXPECT_THROW(cpu.hold(*stream, {}), Error);
  int native = 0;
  EXPECT_THROW(cpu.adopt(&native), Error);
}

TEST(InlineDevice, StampsMarksWithTheHostClock) {
  InlineDevice cpu;
  const auto stream = cpu.stream();
  stream->reserve(2);
  const Mark a = stream->mark();
  cpu.clock().sleep(2ms);
  const Mark b = stream->mark();
  EXPECT_GE(stream->between(a, b), 2ms);
}

TEST(InlineDevice, AlignsBuffersToCacheLinesAndRefusesTheImpossible) {
  InlineDevice cpu;
  const Buffer b = cpu.buffer(100, Place::device);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.bytes().data()) % 64, 0u);
  EXPECT_EQ(b.bytes().size(), 100u);
  EXPECT_THROW(cpu.buffer(std::numeric_limits<std::size_t>::max() / 4, Place::device), Error);
}

TEST(OpenDevice, ChoosesTheGpuWhereOneCanBeUsed) {
  std::string expected = "cuda";
  try {
    open_device("cuda:0");
  } catch (const Error&) {
    expected = "cpu";
  }
  EXPECT_EQ(open_device("auto")->info().kind, expected);
}

TEST(InlineDevice, TakesThePlaceOfTheOldestMarkForANewOne) {
  InlineDevice cpu;
  const auto stream = cpu.stream();
  stream->reserve(2);
  const Mark first = stream->mark(), second = stream->mark();
  cpu.clock().sleep(2ms);
  const Mark third = stream->mark();
  EXPECT_EQ(third.slot, first.slot);
  EXPECT_GE(stream->between(second, third), 2ms);
}

TEST(OpenDevice, TakesTheFirstGpuWhereNoneIsNamed) {
  EXPECT_EQ(parse_device("cuda").kind, DeviceName::cuda);
  EXPECT_EQ(parse_device("cuda").rest, "0");
  EXPECT_EQ(parse_device("cuda:1").rest, "1");
  EXPECT_EQ(parse_device("sim:kernels=1x1us").rest, "kernels=1x1us");
  EXPECT_EQ(parse_device("cpu").kind, DeviceName::cpu);
  EXPECT_THROW(parse_device("gpu"), Error);
}

}  // namespace
}  // namespace strobe
