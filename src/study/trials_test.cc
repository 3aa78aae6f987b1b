#include "study/trials.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

Case trial(std::int64_t batch, double rate, std::int64_t streams = 1) {
  Case c;
  c.outcome = "fits";
  c.settings = {{"batch", batch}, {"streams", streams}, {"in_flight", std::int64_t{1}}};
  Metric m;
  m.unit = "items/s";
  m.n = 100;
  m.median.value = rate;
  c.metrics["throughput"] = m;
  return c;
}

std::vector<std::pair<std::int64_t, double>> middles(const std::vector<Case>& cases) {
  std::vector<std::pair<std::int64_t, double>> all;
  for (const Case* c : middle_trials(cases)) all.emplace_back(batch_of(*c), *rate_of(*c));
  return all;
}

using Middles = std::vector<std::pair<std::int64_t, double>>;

TEST(MiddleTrials, AreNotTheFastestOfRepeatsThatContradictEachOther) {
  EXPECT_EQ(middles({trial(1, 100), trial(4, 400), trial(1, 900), trial(1, 120)}), (Middles{{1, 120}, {4, 400}}));
  EXPECT_EQ(middles({trial(1, 900), trial(1, 100)}), (Middles{{1, 100}}));
}

TEST(MiddleTrials, AreOfOnePointAndOfTrialsThatRan) {
  Case failed = trial(1, 5);
  failed.outcome = "crashed";
  EXPECT_EQ(middles({failed, trial(1, 100), trial(1, 200, 2)}), (Middles{{1, 100}, {1, 200}}));
  EXPECT_TRUE(middles({failed}).empty());
}

}  // namespace
}  // namespace strobe
