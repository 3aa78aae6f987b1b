// SPDX-License-Identifier: Apache-2.0
#include "device/gate.h"

#include <vector>

#include <gtest/gtest.h>

namespace strobe {
namespace {

struct CountingKeeper final : GateKeeper {
  std::vector<std::uint32_t> opened;
  void open(std::uint32_t ticket) noexcept override { opened.push_back(ticket); }
  bool tripped(std::uint32_t ticket) const noexcept override { return ticket == 13; }
};

TEST(Gate, OpensWhenItGoesOutOfScope) {
  CountingKeeper keeper;
  {
    Gate gate(keeper, 7);
  }
  EXPECT_EQ(keeper.opened, std::vector<std::uint32_t>{7});
}

TEST(Gate, OpensWhenAnExceptionPassesThrough) {
  CountingKeeper keeper;
  try {
    Gate gate(keeper, 3);
    throw 1;
  } catch (int) {
  }
  EXPECT_EQ(keeper.opened, std::vector<std::uint32_t>{3});
}

TEST(Gate, MovedFromGatesOpenNothing) {
  CountingKeeper keeper;
  Gate a(keeper, 1);
  {
    Gate b(std::move(a));
    EXPECT_TRUE(keeper.opened.empty());
  }
  EXPECT_EQ(keeper.opened.size(), 1u);
}

TEST(Gate, ReportsThatTheWatchdogOpenedIt) {
  CountingKeeper keeper;
  EXPECT_TRUE(Gate(keeper, 13).tripped());
  EXPECT_FALSE(Gate(keeper, 12).tripped());
}

}  // namespace
}  // namespace strobe
