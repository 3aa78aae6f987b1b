#include <gtest/gtest.h>

#include "measure/analysis.h"
#include "measure/measurement.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

Record measured(const std::string& text, Options o = {.effort = Effort::quick}) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload work(device);
  Record r;
  analyse(measure_rounds(work, o), o, r);
  return r;
}

double median(const Record& r, const char* metric) {
  return r.metrics.at(metric).median.value;
}

TEST(Rounds, AgreeWithTheFormulasToTheNanosecond) {
  const Record r = measured("launch=5us,kernels=20x1us", {.requests = 50, .graph = true});
  EXPECT_EQ(median(r, "latency"), 101'000);
  EXPECT_EQ(median(r, "submit"), 100'000);
  EXPECT_EQ(median(r, "span"), 101'000);
  EXPECT_EQ(median(r, "device_time"), 20'000);
  EXPECT_EQ(median(r, "replay_time"), 20'000);
  EXPECT_NEAR(median(r, "period"), 100'000, 1e-3);
  EXPECT_NEAR(median(r, "throughput"), 10'000, 1e-3);
}

TEST(Rounds, CountExactlyTheRequestsAskedForInEveryPass) {
  for (const std::size_t n : {1u, 7u, 50u, 1000u}) {
    const Record r = measured("launch=5us,kernels=20x50us", {.requests = n});
    for (const char* metric : {"latency", "submit", "span", "device_time"})
      EXPECT_EQ(r.metrics.at(metric).n, n) << metric;
    EXPECT_EQ(r.status, Status::fixed);
  }
}

TEST(Rounds, WarmUpExactlyAsManyRequestsAsAskedFor) {
  const Record r = measured("launch=5us,kernels=20x50us", {.warmup = 5, .requests = 20});
  EXPECT_EQ(*r.startup.warmup_requests, 5u);
}

TEST(Rounds, LeaveTheWarmUpOutOfTheEstimates) {
  const Record cold = measured("launch=4us,kernels=40x30us,first=400ms,warm=1.6:300,noise=0.005");
  EXPECT_NEAR(median(cold, "device_time"), 1'200'000, 0.004 * 1'200'000);
  EXPECT_GT(*cold.startup.first_ns, 400e6);
}

TEST(Rounds, StopWhenTheMedianIsKnownAndSayThatTheyConverged) {
  const Record r = measured("launch=4us,kernels=40x30us,noise=0.01");
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LT(r.window_ns, 4e9);
  EXPECT_LE(*r.metrics.at("latency").median.relative_half_width(), 0.01);
}

TEST(Rounds, GoOnToTheCapWhenItDriftsAndSayWhy) {
  const Record r = measured("launch=4us,kernels=40x30us,drift=0.02,noise=0.005");
  EXPECT_EQ(r.status, Status::not_converged);
  EXPECT_NE(r.status_reason.find("drifts"), std::string::npos);
  EXPECT_GT(r.window_ns, 4e9);
}

TEST(Rounds, GiveTheSameRecordForTheSameSeed) {
  EXPECT_EQ(json(measured("launch=4us,kernels=40x30us,noise=0.02,ar=0.5,seed=4")),
            json(measured("launch=4us,kernels=40x30us,noise=0.02,ar=0.5,seed=4")));
}

TEST(Rounds, SayWhyDeviceTimeIsUnknown) {
  const Record r = measured("launch=5us,kernels=20x1us,hidden_sync=1");
  EXPECT_FALSE(r.metrics.at("device_time").known());
  EXPECT_FALSE(r.observations.gate->used);
  EXPECT_TRUE(r.metrics.at("latency").known());
}

TEST(Rounds, SeeWorkThatEscapes) {
  EXPECT_EQ(*measured("launch=5us,kernels=20x1us,escape=300us").observations.escaped_ns,
            199'000);  // launched first, 300 µs from 5 µs on; the request itself ends at 106
  EXPECT_EQ(*measured("launch=5us,kernels=20x1us").observations.escaped_ns, 0);
}

TEST(Rounds, EndWithWhatThereIsWhenInterrupted) {
  std::size_t asked = 0;
  const Record r = measured("kernels=1x1ms", {.stop = [&] { return ++asked > 2000; }});
  EXPECT_EQ(r.status, Status::interrupted);
  EXPECT_GT(r.metrics.at("latency").n, 0u);
}

TEST(Rounds, MeasureCopiesOnlyWhenAskedTo) {
  EXPECT_EQ(measured("launch=5us,kernels=20x1us,copy_in=7us", {.requests = 20}).metrics.count("copy_in"), 0u);
  const Record r = measured("launch=5us,kernels=20x1us,copy_in=7us", {.requests = 20, .copies = true});
  EXPECT_EQ(median(r, "copy_in"), 7'000);
  EXPECT_EQ(r.metrics.at("copy_out").unknown, "the workload has no outputs to copy");
  EXPECT_EQ(median(r, "end_to_end"), 101'000);
}

}  // namespace
}  // namespace strobe
