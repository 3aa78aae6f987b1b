// SPDX-License-Identifier: Apache-2.0
#include "workload/open_model.h"

#include <thread>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/simulated/simulated_device.h"
#include "host/affinity.h"
#include "testing/wrapped_cpu.h"

namespace strobe {
namespace {

OpenOptions options_for(const char* model) {
  OpenOptions o;
  o.model = model;
  return o;
}

std::uint64_t seed_of(const OpenOptions& o) {
  const OpenedModel m = open_model(o);
  return dynamic_cast<const SimulatedDevice&>(*m.device).parameters().seed.value();
}

TEST(OpenModel, SeedsASimulationAsAskedUnlessTheModelSaysIt) {
  OpenOptions o = options_for("sim:kernels=1x1us,noise=0.01");
  o.seed = 5;
  EXPECT_EQ(seed_of(o), 5u);
  o.model += ",seed=7";
  EXPECT_EQ(seed_of(o), 7u);
}

// On a thread of its own: what it may use ends with it.
TEST(OpenModel, GoesBackToAllCpusWhenAnotherModelIsNotPinned) {
  std::thread([] {
    const std::vector<int> all = cpus_of_this_thread();
    if (all.size() < 2) GTEST_SKIP() << "one CPU only";
    for (const char* then : {"off", "auto"}) {
      OpenOptions o = options_for("work:null");
      o.device = "cpu";
      o.pin = "0-1023";
      open_model(o);
      EXPECT_EQ(cpus_of_this_thread(), all);
      o.pin = std::to_string(all.back());
      open_model(o);
      EXPECT_EQ(cpus_of_this_thread().size(), 1u);
      o.pin = then;
      open_model(o);
      EXPECT_EQ(cpus_of_this_thread(), all) << then;
    }
  }).join();
}

TEST(OpenModel, RefusesALevelOfStreamsWhereTheyCannotBeToldApart) {
  for (const char* model : {"sim:kernels=1x1us", "work:null"}) {
    OpenOptions o = options_for(model);
    o.stream = "fast";
    EXPECT_THROW(open_model(o), Error) << model;
    o.stream = "any";
    EXPECT_NO_THROW(open_model(o)) << model;
  }
}

// On a GPU a tracer forbids the gate that tells levels apart.
TEST(OpenModel, TakesAnyStreamOfATracedDeviceWithoutAGate) {
  OpenOptions o = options_for("work:null");
  o.stream = "fast";
  o.traced = true;
  EXPECT_NO_THROW(open_model(o));
  o.model = "sim:kernels=1x1us";  // which has a gate, and streams that are all alike
  EXPECT_THROW(open_model(o), Error);
}

// A CPU that claims to have streams of two levels.
class LevelledCpu final : public testing::WrappedCpu {
 public:
  std::unique_ptr<Stream> stream_at(StreamLevel level) override {
    asked = level;
    return stream();
  }

  std::optional<StreamLevel> asked;
};

TEST(OpenModel, PrefersALevelOfStreamsWhereThereAreLevelsAndNobodyChose) {
  const auto asked_for = [](const char* stream, const char* prefers) {
    const auto device = std::make_shared<LevelledCpu>();
    OpenOptions o = options_for("work:null");
    o.device = "cpu";
    o.on = device;
    o.stream = stream;
    o.prefers_stream = prefers;
    const bool has_one = open_model(o).stream != nullptr;
    EXPECT_EQ(has_one, device->asked.has_value());
    return device->asked;
  };
  EXPECT_EQ(asked_for("any", "fast"), StreamLevel::fast);
  EXPECT_EQ(asked_for("slow", "fast"), StreamLevel::slow);
  EXPECT_EQ(asked_for("any", ""), std::nullopt);
  OpenOptions without = options_for("work:null");
  without.prefers_stream = "fast";
  EXPECT_FALSE(open_model(without).stream);
}

TEST(OpenModel, PutsSimulatedWorkOnAStreamOfTheLevelThatWasAskedFor) {
  const auto pause = [](const char* stream, const char* prefers) {
    OpenOptions o = options_for("sim:kernels=10x2us,pause=1us,slow_streams=1.1@0.5");
    o.stream = stream;
    o.prefers_stream = prefers;
    OpenedModel m = open_model(o);
    return *m.device->kernel_pause(m.workload->stream());
  };
  EXPECT_EQ(pause("fast", "slow"), 1000);
  EXPECT_EQ(pause("slow", "fast"), 1100);
  EXPECT_EQ(pause("any", "fast"), 1000);
  EXPECT_EQ(pause("any", "slow"), 1100);
}

TEST(OpenModel, GivesSimulatedWorkAsManyInputSetsAsWereAskedFor) {
  OpenOptions o = options_for("sim:kernels=1x1us,cache=10MB,input=1MB,miss=1us");
  EXPECT_EQ(open_model(o).workload->input_sets(), 2u);
  o.input_sets = 7;
  EXPECT_EQ(open_model(o).workload->input_sets(), 7u);
  o.input_sets = beyond_cache;
  const OpenedModel m = open_model(o);
  EXPECT_EQ(m.workload->input_sets(), 20u);
  EXPECT_EQ(m.workload->input_bytes(), 20'000'000u);
}

TEST(OpenModel, RefusesInputSetsOfWorkThatHasNoInputs) {
  for (const char* model : {"sim:kernels=1x1us", "work:null"}) {
    OpenOptions o = options_for(model);
    o.input_sets = 2;
    EXPECT_THROW(open_model(o), Error) << model;
    o.input_sets.reset();
    o.fewest_sets = 8;  // what strobe adds is not what a user asked for
    EXPECT_NO_THROW(open_model(o)) << model;
  }
}

TEST(OpenModel, RefusesOptionsOfAModelFileWhereThereIsNone) {
  OpenOptions o = options_for("sim:kernels=1x1us");
  o.threads = 1;
  EXPECT_THROW(open_model(o), Error);
  o = options_for("sim:kernels=1x1us");
  o.device = "cpu";
  EXPECT_THROW(open_model(o), Error);
  EXPECT_THROW(open_model(options_for("sim:launch=1us")), Error);  // no time would pass
}

}  // namespace
}  // namespace strobe
