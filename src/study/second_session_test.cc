// SPDX-License-Identifier: Apache-2.0
#include "study/second_session.h"

#include <set>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/simulated/simulated_device.h"
#include "testing/conductors.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

// Every input gives the same output. One that was seen before takes `again` instead of a millisecond.
class Memory final : public Session {
 public:
  Memory(SimulatedDevice& device, std::size_t sets, nanoseconds again) : stream_(device), sets_(sets), again_(again) {}
  void submit(std::size_t request) override {
    stream_.launch_kernel(0ns, seen_.insert(request % sets_).second ? 1ms : again_);
  }
  Stream& stream() override { return stream_; }
  std::size_t input_sets() const override { return sets_; }
  ModelInfo info() const override { return {}; }

 private:
  SimulatedStream stream_;
  std::size_t sets_;
  nanoseconds again_;
  std::set<std::size_t> seen_;
};

class MemoryRuntime final : public Runtime {
 public:
  explicit MemoryRuntime(nanoseconds again) : again_(again) {}
  std::string name() const override { return "memory"; }
  std::string version() const override { return "1"; }
  Capability runs_on(const Device&) const override { return {}; }
  std::unique_ptr<Session> load(const ModelOptions& o, Device& device) override {
    return std::make_unique<Memory>(dynamic_cast<SimulatedDevice&>(device), o.input_sets.count, again_);
  }

 private:
  nanoseconds again_;
};

Record with_new_inputs(nanoseconds again, bool distinct, double latency_ns = 1e6) {
  OpenedModel model;
  model.device = std::make_shared<SimulatedDevice>(parse_sim("kernels=1x1ms"));
  model.runtime = std::make_unique<MemoryRuntime>(again);
  Record r;
  r.observations.outputs = OutputObservation{};
  r.observations.outputs->distinct = distinct;
  r.metrics["latency"].n = 1;
  r.metrics["latency"].estimate.value = latency_ns;
  try_new_inputs(model, alone, r);
  return r;
}

std::optional<double> ratio_in(const Record& r) {
  return r.observations.new_input_ratio;
}

TEST(SecondSession, ShowsThatTheWorkOfKnownInputsIsSkipped) {
  Record r = with_new_inputs(10us, false);
  EXPECT_NEAR(ratio_in(r).value_or(0), 100, 1e-6);
  judge(r);
  EXPECT_EQ(r.verdict, Verdict::invalid);
}

TEST(SecondSession, FindsNothingSkippedWhereNewInputsTakeAsLong) {
  Record r = with_new_inputs(1ms, false);
  EXPECT_NEAR(ratio_in(r).value_or(0), 1, 1e-9);
}

TEST(SecondSession, IsNotOpenedWhereOutputsDifferOrRequestsTakeLong) {
  EXPECT_FALSE(ratio_in(with_new_inputs(10us, true)));
  EXPECT_FALSE(ratio_in(with_new_inputs(10us, false, 1e9)));
}

// Keeps what it was asked to load, and loads nothing.
class Asked final : public Runtime {
 public:
  explicit Asked(std::optional<ModelOptions>& options) : options_(options) {}
  std::string name() const override { return "asked"; }
  std::string version() const override { return "1"; }
  Capability runs_on(const Device&) const override { return {}; }
  std::unique_ptr<Session> load(const ModelOptions& o, Device&) override {
    options_ = o;
    throw Error(ErrorCode::failed, "it only wanted to know");
  }

 private:
  std::optional<ModelOptions>& options_;
};

std::optional<ModelOptions> asked_for(const std::string& source, std::size_t sets = 2) {
  std::optional<ModelOptions> options;
  OpenedModel model;
  model.device = std::make_shared<SimulatedDevice>(parse_sim("kernels=1x1ms"));
  model.runtime = std::make_unique<Asked>(options);
  model.options.input_files["x"] = "x.npy";
  model.options.batch = 4;
  model.options.input_sets = sets;
  Record r;
  r.model.inputs = {{"x", "f32", {4, 3}, source}};
  r.observations.input_sets = sets;
  judge(r);
  try_other_inputs(model, alone, r);
  return options;
}

TEST(SecondSession, HasRandomInputsOfTheSameShapesInsteadOfFiles) {
  const auto options = asked_for("x.npy");
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->input_files.empty());
  EXPECT_FALSE(options->batch);
  EXPECT_EQ(options->shapes.at("x").dims, (std::vector<std::int64_t>{4, 3}));
}

TEST(SecondSession, IsNotOpenedForOtherInputsWhereNobodyDoubtsThem) {
  EXPECT_FALSE(asked_for("random"));
}

TEST(SecondSession, RotatesOverTwoSetsWhereOneWasAskedForAndOverMoreWhereThatWas) {
  EXPECT_EQ(asked_for("random", 1)->input_sets, InputSets(2));
  EXPECT_EQ(asked_for("x.npy", 9)->input_sets, InputSets(9));
}

}  // namespace
}  // namespace strobe
