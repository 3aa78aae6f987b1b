// SPDX-License-Identifier: Apache-2.0
#include "measure/listings.h"

#include <set>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "measure/closed_form.h"
#include "measure/method_readings.h"
#include "record/metric_names.h"
#include "record/reported.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

MethodRows read_like(const char* name, const char* machine) {
  SimulatedDevice device(parse_sim(machine));
  SimulatedWorkload work(device);
  const Listing& l = find_listing(name);
  return time_by_methods(work, {.rows = {{l.method, std::string(l.name)}, {kLatencyPass.method, "latency"}},
                                .warmup = 5,
                                .requests = 45,
                                .script = l.script});
}

constexpr const char* kHostBound = "launch=5us,kernels=20x1us,mark=1us,sync=6us,first=9ms,flush=20us";
constexpr const char* kDeviceBound = "launch=1us,kernels=20x5us,mark=1us,sync=6us,first=9ms,flush=200us";

// Whoever reads one before anything else cannot first ask whether a gate is safe, or capture a graph.
TEST(Listings, NeedNothingToBeKnownOfTheWorkload) {
  for (const Listing& l : listings()) {
    EXPECT_NE(l.method.queue, Method::Queue::gated) << l.name;
    EXPECT_EQ(l.method.form, Method::Form::eager) << l.name;
    EXPECT_FALSE(l.method.copies || l.method.same_input || l.method.once) << l.name;
    EXPECT_EQ(l.method.warmup, l.script.warmup > 0) << l.name;
    EXPECT_EQ(l.method.scope == Method::Scope::block, l.script.per_sample > 1) << l.name;
  }
}

TEST(Listings, HaveDifferentNamesAndAreFoundByThem) {
  const std::vector<std::string> names = listing_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string& name : names) EXPECT_EQ(find_listing(name).name, name);
  try {
    find_listing("do-bench");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("Did you mean 'do_bench'?"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("events-300"), std::string::npos);
  }
}

// Without warm-up the first reading is that of the first request of all.
TEST(Listings, ReadTheirFormulaOnTheSimulatedDevice) {
  for (const char* machine : {kHostBound, kDeviceBound}) {
    for (const Listing& l : listings()) {
      const MethodRow row = read_like(l.name.data(), machine).rows.front();
      if (!row.error.empty()) {
        EXPECT_EQ(row.error, "the device has not reached the mark yet") << l.name;
        EXPECT_TRUE(l.name == "events" || l.name == "events-cold");
        continue;
      }
      std::vector<double> sorted = row.readings;
      std::sort(sorted.begin(), sorted.end());
      const auto round = static_cast<std::int64_t>(std::max(l.script.per_sample, row.readings.size()));
      const double expected = to_double(closed_form(parse_sim(machine), l.method, round));
      EXPECT_NEAR(sorted[sorted.size() / 2], expected, l.script.per_sample > 1 ? 0.002 * expected : 0) << l.name;
      EXPECT_EQ(row.readings.front() > 8e6, l.script.warmup == 0) << l.name;
    }
  }
}

TEST(Listings, AreReadAsOftenAsTheySay) {
  EXPECT_EQ(read_like("events-300", kHostBound).rows[0].readings.size(), 300u);
  EXPECT_EQ(read_like("clock-cold", kHostBound).rows[0].readings.size(), 100u);
  EXPECT_EQ(read_like("block-100-host", kHostBound).rows[0].readings.size(), 1u);
  EXPECT_EQ(read_like("timeit", kHostBound).rows[0].readings.size(), 5u);
  // 100 ms of requests of 105 µs with their flush, which the host and the device share.
  EXPECT_NEAR(static_cast<double>(read_like("do_bench", kHostBound).rows[0].readings.size()), 100e3 / 106, 15);
  EXPECT_NEAR(static_cast<double>(read_like("do_bench", kDeviceBound).rows[0].readings.size()), 100e3 / 301.4, 5);
}

TEST(Listings, AreReadBeforeAnythingElse) {
  const MethodRows r = read_like("clock-sync-cold", "launch=5us,kernels=20x1us,mark=1us,warm=3:20");
  EXPECT_GT(r.rows[0].readings[1], 250'000);
  EXPECT_LT(r.rows[0].readings[99], 105'000);
  for (const double reading : r.rows[1].readings) EXPECT_LT(reading, 105'000);
}

TEST(Listings, PrintTheirLine) {
  Metric m;
  m.n = 5;
  m.estimate = {.value = 0.6e6, .low = {}, .high = {}, .why = {}};
  m.mean = Estimate{.value = 0.61e6, .low = {}, .high = {}, .why = {}};
  m.stddev = 0.02e6;
  m.min = 0.58e6;
  m.max = 0.7e6;
  const auto line = [&](const char* name) { return find_listing(name).line(m, 8); };
  EXPECT_EQ(line("clock"), "0.610 ms");
  EXPECT_EQ(line("events-300"), "mean 0.610 ms, std 0.020 ms, 13114.8 FPS");
  EXPECT_EQ(line("throughput-100"), "13114.8 images/s");
  EXPECT_EQ(line("do_bench"), "0.61000 ms");
  EXPECT_EQ(line("torch-benchmark"), "610.00 us, 1 measurement, 100 runs");
  EXPECT_EQ(line("timeit"), "10 loops, best of 5: 580 usec per loop");
  EXPECT_EQ(line("trtexec"), "GPU Compute Time: min = 0.58 ms, max = 0.7 ms, mean = 0.61 ms, median = 0.6 ms");
}

}  // namespace
}  // namespace strobe
