#include "study/second_session.h"

#include <set>

#include <gtest/gtest.h>

#include "device/simulated/simulated_device.h"
#include "record/scalars.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

// Every input gives the same output. One that was seen before takes `again` instead of a millisecond.
class Memory final : public Session {
 public:
  Memory(SimulatedDevice& device, std::size_t sets, nanoseconds again) : stream_(device), sets_(sets), again_(again) {}
  void submit(std::size_t request) override {
    stream_.launch(0ns, seen_.insert(request % sets_).second ? 1ms : again_);
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
    return std::make_unique<Memory>(dynamic_cast<SimulatedDevice&>(device), o.input_sets, again_);
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
  r.metrics["latency"].median.value = latency_ns;
  try_new_inputs(model, {}, r);
  return r;
}

std::optional<double> ratio_in(const Record& r) {
  return fact<double>(r.answer, "new_input_ratio");
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

}  // namespace
}  // namespace strobe
