// SPDX-License-Identifier: Apache-2.0
#include "study/memory/memory.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "host/memory.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "study/memory/memory_answer.h"
#include "study/memory/memory_options.h"

namespace strobe {
namespace {

constexpr std::uint64_t kMiB = 1u << 20;

MemoryPlan memory_of(const std::string& model, bool recorded = false) {
  MemoryPlan p;
  p.open.model = model;
  p.how.requests = 20;
  p.recorded = recorded;
  return p;
}

double in_mib(const Estimate& e) {
  return e.value / static_cast<double>(kMiB);
}

const MemoryPhase& phase_of(const Record& r, const char* name, std::size_t place = 0) {
  const MemoryPhase* p = phase_named(r.memory.places.at(place), name);
  if (!p) throw std::out_of_range(name);
  return *p;
}

double sum_of(const std::vector<MemoryPart>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [](double x, const MemoryPart& p) { return x + p.bytes.value; });
}

// Three layers, so two activations at a time; everything but the driver in segments of 2 MiB.
constexpr const char* kMachine =
    "sim:kernels=2x5us+1x9us+1x3us,memory=1GiB,segment=2MiB,weights=43MiB,workspace=32MiB,activations=11MiB,"
    "fragments=23MiB,driver=18MiB";

TEST(Memory, OfASimulatedDeviceReadsItsFormulas) {
  const Record r = memory_launch(memory_of(kMachine));
  EXPECT_EQ(in_mib(phase_of(r, "load").end), 44);
  const double steady = 44 + 32 + 2 * 12 + 24 + 18;
  EXPECT_EQ(in_mib(phase_of(r, "first request").end), steady);
  EXPECT_EQ(in_mib(phase_of(r, "steady").end), steady);
  EXPECT_EQ(in_mib(r.find(metric::memory)->estimate), steady);
  ASSERT_TRUE(r.memory.allocator);
  EXPECT_EQ(in_mib(r.memory.allocator->in_use), 43 + 32);
  EXPECT_EQ(in_mib(r.memory.allocator->reserved), 44 + 32 + 2 * 12 + 24);
  EXPECT_EQ(in_mib(r.memory.allocator->peak), 43 + 32 + 23);
  EXPECT_DOUBLE_EQ(r.memory.allocator->fragmentation, 1 - 75.0 / 124);
  EXPECT_EQ(r.memory.parts.back().name, "unexplained");
  EXPECT_EQ(in_mib(r.memory.parts.back().bytes), 18);
  EXPECT_EQ(sum_of(r.memory.parts), phase_of(r, "steady").end.value);
  EXPECT_EQ(r.memory.places.front().growth->outcome, growth_word::steady);
  EXPECT_EQ(r.memory.requests, 20u);
}

TEST(Memory, RecordsAllocationsByCausePhaseAndLayer) {
  const Record r = memory_launch(memory_of(kMachine, true));
  ASSERT_EQ(r.memory.places.size(), 2u);
  EXPECT_EQ(r.memory.places[1].name, "allocations");
  EXPECT_EQ(in_mib(phase_of(r, "load", 1).end), 43);
  EXPECT_EQ(in_mib(phase_of(r, "first request", 1).peak), 43 + 32 + 23);
  EXPECT_EQ(in_mib(phase_of(r, "steady", 1).peak), 43 + 32 + 22);
  ASSERT_EQ(r.memory.peak_causes.size(), 3u);
  EXPECT_EQ(r.memory.peak_causes[0].name, "weights");
  EXPECT_EQ(in_mib(r.memory.peak_causes[2].bytes), 23);
  ASSERT_FALSE(r.memory.events.empty());
  EXPECT_EQ(r.memory.events[0].phase, "load");
  EXPECT_EQ(r.memory.events[0].cause, "weights");
  EXPECT_EQ(r.memory.events.back().layer, "layer 3");
  EXPECT_EQ(r.memory.recorded, 1 + 1 + 2 + 6u * 25);  // 25 requests of three layers
}

TEST(Memory, FindsAPlantedLeak) {
  const Record r = memory_launch(memory_of("sim:kernels=5us,memory=1GiB,weights=50MiB,grow=1MiB"));
  const MemoryGrowth& g = *r.memory.places.front().growth;
  EXPECT_EQ(g.outcome, growth_word::grows);
  EXPECT_EQ(g.per_request.value, kMiB);
  EXPECT_TRUE(std::any_of(r.findings.begin(), r.findings.end(),
                          [](const Finding& x) { return x.id == "memory-grows" && x.severity == Severity::warning; }));
  EXPECT_EQ(r.verdict, Verdict::caution);
}

TEST(Memory, OfAGraphIsAPhaseOfItsOwn) {
  MemoryPlan p = memory_of("sim:kernels=5us,memory=1GiB,weights=50MiB,graph=7MiB");
  p.how.graph = true;
  const Record r = memory_launch(p);
  EXPECT_EQ(in_mib(phase_of(r, "steady").end), 50);
  EXPECT_EQ(in_mib(phase_of(r, "graph capture").end), 57);
  EXPECT_EQ(sum_of(r.memory.parts), 57.0 * kMiB);
}

TEST(Memory, RefusesASimulatedDeviceWithoutAny) {
  EXPECT_THROW(memory_launch(memory_of("sim:launch-bound")), Error);
}

TEST(Memory, OfTheProcessHasPartsThatAddUp) {
  MemoryPlan p = memory_of("work:leak=1MiB");
  p.how.requests = 50;
  const Record r = memory_launch(p);
  EXPECT_EQ(r.memory.places.front().name, "process");
  EXPECT_EQ(sum_of(r.memory.parts), phase_of(r, "steady").end.value);
  if (heap_in_use().count > 0) {  // a sanitizer's allocator keeps what is given back
    EXPECT_NEAR(r.memory.places.front().growth->per_request.value, kMiB, 0.02 * kMiB);
  }
  EXPECT_FALSE(r.memory.why_no_allocator.empty());
  EXPECT_GT(r.find(metric::memory)->estimate.value, 50.0 * kMiB);
}

TEST(Memory, OfOneLaunchIsWeighedAndRecordedInThisProcess) {
  MemoryPlan p = memory_of("sim:kernels=5us,memory=1GiB,weights=50MiB");
  p.how.launches = 1;
  p.how.limit = 60 * kMiB;
  const Record r = memory_launches(p);
  EXPECT_EQ(r.memory.places.size(), 2u);
  EXPECT_EQ(r.memory.recorder, "the simulation itself, to the byte");
  ASSERT_TRUE(r.memory.fit);
  EXPECT_EQ(r.memory.fit->outcome, fit_word::fits);
  EXPECT_EQ(r.memory.fit->margin_bytes, 10.0 * kMiB);
  EXPECT_FALSE(r.failed);
  EXPECT_TRUE(r.launches.empty());
}

Record with_peak(double value, double low, double high) {
  Record r;
  r.memory.places = {{.name = "device"}};
  r.metrics[metric::memory].estimate = {value, low, high};
  return r;
}

TEST(MemoryFit, IsDecidedByTheInterval) {
  Record r = with_peak(90, 80, 100);
  decide_fit(100, r);
  EXPECT_EQ(r.memory.fit->outcome, fit_word::fits);
  EXPECT_EQ(r.memory.fit->margin_bytes, 0);
  r = with_peak(90, 80, 100);
  decide_fit(99, r);
  EXPECT_EQ(r.memory.fit->outcome, fit_word::cannot_tell);
  EXPECT_FALSE(r.failed);
  EXPECT_FALSE(r.undecided.empty());
  r = with_peak(90, 80, 100);
  decide_fit(79, r);
  EXPECT_EQ(r.memory.fit->outcome, fit_word::does_not_fit);
  EXPECT_TRUE(r.failed);
  EXPECT_TRUE(r.undecided.empty());
}

TEST(MemoryFit, OfMemoryThatGrowsEndsAfterSoManyRequests) {
  Record r = with_peak(90, 90, 90);
  r.memory.places.front().growth = MemoryGrowth{{2, 2, 2}, 50, growth_word::grows};
  decide_fit(111, r);
  EXPECT_EQ(r.memory.fit->requests_left, 10);
}

TEST(Memory, HandsItsOptionsToWorkers) {
  MemoryPlan p = memory_of("sim:memory", true);
  p.open.launch = 3;
  p.how.graph = true;
  const MemoryPlan read = memory_options(worker_options(p));
  EXPECT_EQ(read.open.model, "sim:memory");
  EXPECT_EQ(read.open.launch, 3u);
  EXPECT_EQ(read.how.requests, 20u);
  EXPECT_TRUE(read.how.graph);
  EXPECT_TRUE(read.recorded);
}

}  // namespace
}  // namespace strobe
