// SPDX-License-Identifier: Apache-2.0
#include "host/salvage.h"

#include <thread>

#include <gtest/gtest.h>

namespace strobe {
namespace {

using namespace std::chrono_literals;

Record named(const char* verb) {
  Record r;
  r.verb = verb;
  return r;
}

TEST(Salvage, HasNothingWhereNothingWasOffered) {
  Salvage salvage;
  EXPECT_FALSE(salvage.take());
  {
    const Salvage::Offer offer(&salvage, [] { return named("run"); });
  }
  EXPECT_FALSE(salvage.take());
}

TEST(Salvage, GivesTheInnermostOffer) {
  Salvage salvage;
  const Salvage::Offer outer(&salvage, [] { return named("outer"); });
  {
    const Salvage::Offer inner(&salvage, [] { return named("inner"); });
    EXPECT_EQ(salvage.take()->verb, "inner");
  }
  EXPECT_EQ(salvage.take()->verb, "outer");
}

TEST(Held, CanBeTakenOnlyWhileItsOwnerIsAway) {
  Held held;
  const auto taken = [&] {
    bool got = false;
    std::thread([&] { got = static_cast<bool>(held.take(10ms)); }).join();
    return got;
  };
  EXPECT_FALSE(taken());
  {
    const Held::Away away(held);
    EXPECT_TRUE(taken());
  }
  EXPECT_FALSE(taken());
}

}  // namespace
}  // namespace strobe
