#include "study/run.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(Measure, ACallableOnTheCpuHasLatencyAndThroughputAndNothingAQueueHas) {
  int calls = 0;
  const Record r = measure([&] { ++calls; }, {.name = "count",
                                              .effort = quick,
                                              .min_time = std::chrono::milliseconds(50),
                                              .max_time = std::chrono::milliseconds(200)});
  EXPECT_GT(calls, 1000);
  EXPECT_TRUE(r.find("latency"));
  EXPECT_TRUE(r.find("throughput"));
  for (const char* metric : {"submit", "span", "device_time", "latency_loaded"})
    EXPECT_EQ(r.metrics.count(metric), 0u) << metric;
  EXPECT_EQ(r.model.name, "count");
}

TEST(Measure, CountsTheItemsOfACall) {
  const auto pause = [] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
    while (std::chrono::steady_clock::now() < end) {
    }
  };
  const Record r = measure(pause, {.requests = 50, .items = 8});
  EXPECT_NEAR(r.find("throughput")->median.value * r.find("period")->median.value, 8e9, 8e9 * 1e-6);
}

TEST(Run, JudgesWhatItMeasured) {
  RunOptions o;
  o.open.model = "sim:launch-bound";
  o.measure.effort = quick;
  const Record r = run(o);
  EXPECT_EQ(r.verb, "run");
  EXPECT_EQ(r.model.name, "sim:launch-bound");
  EXPECT_EQ(r.status, Status::converged);
  bool host_bound = false;
  for (const Finding& f : r.findings) host_bound = host_bound || f.id == "host-bound";
  EXPECT_TRUE(host_bound);
}

TEST(Run, RefusesOptionsThatOnlyAModelFileCanTake) {
  RunOptions o;
  o.open.model = "sim:launch-bound";
  o.open.options.batch = 4;
  EXPECT_THROW(run(o), Error);
}

}  // namespace
}  // namespace strobe
