// SPDX-License-Identifier: Apache-2.0
#include "workload/open_model.h"

#include <sched.h>
#include <thread>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/simulated/simulated_device.h"

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

int cpus_of_this_thread() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

// On a thread of its own: what it may use ends with it.
TEST(OpenModel, GoesBackToAllCpusWhenAnotherModelIsNotPinned) {
  std::thread([] {
    const int all = cpus_of_this_thread();
    if (all < 2) GTEST_SKIP() << "one CPU only";
    for (const char* then : {"off", "auto"}) {
      OpenOptions o = options_for("work:null");
      o.device = "cpu";
      o.pin = "0-1023";
      open_model(o);
      EXPECT_EQ(cpus_of_this_thread(), all);
      o.pin = std::to_string(::sched_getcpu());
      open_model(o);
      EXPECT_EQ(cpus_of_this_thread(), 1);
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
