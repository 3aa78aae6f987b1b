// SPDX-License-Identifier: Apache-2.0
// Detectors whose signal no simulated device gives: a record that triggers each, and a near one that must not.
#include "verdict/detectors.h"

#include <gtest/gtest.h>

#include "verdict/judge.h"

namespace strobe {
namespace {

Record with_input(std::string source, std::uint64_t sets) {
  Record r;
  r.model.inputs = {{"x", "f32", {1, 3}, std::move(source)}};
  r.observations.input_sets = sets;
  return r;
}

// 60 kernels in 380 µs, on a stream that pauses 120 ns longer than the fast ones.
Record on_stream(std::string level) {
  Record r;
  r.metrics["device_time"].estimate.value = 380e3;
  r.observations.kernels_per_request = 60;
  r.observations.stream = {1590, std::move(level), 1470, 1590, 9, 11};
  return r;
}

TEST(SlowStream, NamesWhatAnotherStreamWouldGive) {
  const auto finding = slow_stream(on_stream("slow"));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->about, About::workload);
  EXPECT_EQ(finding->message,
            "the device pauses 120 ns longer between kernels on this stream than on 9 of 20 others: about 1.9 % of the "
            "device time");
}

TEST(SlowStream, IsNoFindingOfAFastStreamNorWhereItHardlyMatters) {
  EXPECT_FALSE(slow_stream(on_stream("fast")));
  Record few = on_stream("slow");
  few.observations.kernels_per_request = 10;
  EXPECT_FALSE(slow_stream(few)) << "0.3 %";
  Record unknown = on_stream("slow");
  unknown.observations.kernels_per_request.reset();
  EXPECT_FALSE(slow_stream(unknown));
}

// Launches on streams of both levels: the record is the first one's, on a fast stream, and kernels were counted there.
Record on_both_levels(double fast, double slow) {
  Record r = on_stream("fast");
  r.metrics["device_time"].estimate.value = fast;
  r.metrics["device_time"].levels = {{fast, 3, "fast"}, {slow, 2, "slow"}};
  return r;
}

TEST(SlowStream, OfSeveralLaunchesIsWhatWasMeasuredOnEachLevel) {
  const auto finding = slow_stream(on_both_levels(376e3, 388e3));
  ASSERT_TRUE(finding);
  EXPECT_EQ(
      finding->message,
      "the device time is 388 µs on a slow stream and 376 µs on a fast one, 3.1 % less; 11 of 20 streams are slow");
  EXPECT_NEAR(finding->evidence.at("share"), 12.0 / 388, 1e-9);
  EXPECT_FALSE(slow_stream(on_both_levels(376e3, 377e3))) << "0.3 %";
  EXPECT_FALSE(slow_stream(on_both_levels(388e3, 376e3)));
}

TEST(SlowStream, OfSeveralLaunchesNeedsNoCountOfKernels) {
  Record r = on_both_levels(376e3, 388e3);
  r.observations.kernels_per_request.reset();
  r.observations.stream.reset();
  ASSERT_TRUE(slow_stream(r));
  EXPECT_EQ(slow_stream(r)->message, "the device time is 388 µs on a slow stream and 376 µs on a fast one, 3.1 % less");
}

TEST(SlowStream, IsNoFindingOfLevelsThatNobodyKnowsTheStreamsOf) {
  Record r = on_both_levels(376e3, 388e3);
  for (LaunchLevel& level : r.metrics["device_time"].levels) level.stream.clear();
  EXPECT_FALSE(slow_stream(r));
}

Metric between_us(double low, double value, double high) {
  Metric m;
  m.estimate = {1e3 * value, 1e3 * low, 1e3 * high, true, {}};
  return m;
}

// Two streams, of which one waits for nothing: 1.6 ms behind the gate, 2 ms one after the other.
Record leaking() {
  Record r;
  r.metrics["period"] = between_us(1990, 2000, 2010);
  r.metrics["submit"] = between_us(390, 400, 420);
  r.metrics["device_time"] = between_us(1590, 1600, 1610);
  r.settings["in_flight"] = std::int64_t{4};
  return r;
}

TEST(GateLeak, IsAWarningThatNamesTheThreeTimes) {
  const auto finding = gate_leak(leaking());
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::warning);
  EXPECT_EQ(
      finding->message,
      "with a full queue a request takes 2.00 ms, but its device time is 1.60 ms and submitting it takes 400 µs: a "
      "part of the work runs while the gate is closed, and the device time misses it");
}

TEST(GateLeak, IsNoFindingWhereTheHostOrTheLoopMayTakeTheTime) {
  Record slow_host = leaking();
  slow_host.metrics["submit"] = between_us(1200, 1300, 1950);
  EXPECT_FALSE(gate_leak(slow_host));
  Record noisy = leaking();
  noisy.metrics["period"] = between_us(1650, 2000, 2400);
  EXPECT_FALSE(gate_leak(noisy));
  Record one_at_a_time = leaking();
  one_at_a_time.settings["in_flight"] = std::int64_t{1};
  EXPECT_FALSE(gate_leak(one_at_a_time));
  Record costly_marks = leaking();
  costly_marks.device.calibration = {{"mark_ns", 3e5}, {"sync_ns", 1e5}};
  EXPECT_FALSE(gate_leak(costly_marks));
}

TEST(GateLeak, IsNoFindingWhereTheDeviceClocksLowerUnderLoad) {
  Record r = leaking();
  r.observations.clocks_per_pass = {{"device_time", 1980}, {"period", 1500}};
  EXPECT_FALSE(gate_leak(r));
  r.observations.clocks_per_pass = {{"device_time", 1980}, {"period", 1970}};
  EXPECT_TRUE(gate_leak(r));
}

TEST(MarksCost, IsWhatAPairAroundAKernelReadsWhereThatIsKnown) {
  Record r;
  r.metrics["device_time"] = between_us(199, 200, 201);
  r.device.calibration = {{"mark_pair_ns", 1280}};
  EXPECT_FALSE(marks_cost(r)) << "0.64 %";
  r.device.calibration["kernel_pair_ns"] = 3100;
  ASSERT_TRUE(marks_cost(r));
  EXPECT_EQ(marks_cost(r)->message,
            "a pair of marks around an empty kernel reads 3.10 µs, 1.6 % of the device time: every device reading "
            "includes that much");
}

TEST(MarksCost, GoesByTheIntervalOfWhatTheMarksTimeHoweverNoisyTheLatencyIs) {
  Record r;
  r.metrics["latency"] = between_us(700, 1000, 1300);
  r.metrics["device_time"] = between_us(39.8, 40, 40.2);
  r.device.calibration = {{"kernel_pair_ns", 3100}};
  EXPECT_EQ(marks_cost(r)->severity, Severity::warning);
  r.metrics["device_time"] = between_us(30, 40, 50);
  EXPECT_EQ(marks_cost(r)->severity, Severity::note);
  r.metrics["device_time"].unknown = "the gate is not safe";
  r.metrics["span"] = between_us(39.8, 40, 40.2);
  EXPECT_EQ(marks_cost(r)->severity, Severity::warning);
}

TEST(CaseFindings, GoByTheIntervalOfWhatTheyAreAbout) {
  Record r;
  r.metrics["latency"] = between_us(700, 1000, 1300);
  r.metrics["device_time"] = between_us(199, 200, 201);
  Case c;
  c.claims = "device_time";
  c.settings = {{"input", std::string("same")}, {"warmup", false}};
  c.metrics["reading"] = between_us(189, 190, 191);
  c.metrics["reading"].mean = Estimate{210e3, 200e3, 220e3, true, {}};
  EXPECT_EQ(same_input(r, c)->severity, Severity::warning);
  EXPECT_EQ(no_warm_up(r, c)->severity, Severity::warning);
  r.metrics["device_time"] = between_us(170, 200, 230);
  c.metrics["reading"].estimate = between_us(160, 190, 220).estimate;
  EXPECT_EQ(same_input(r, c)->severity, Severity::note);
  EXPECT_EQ(no_warm_up(r, c)->severity, Severity::note);
}

Record with_callable(double latency_ns, double empty_ns) {
  Record r;
  r.model.runtime = "callable";
  r.metrics["latency"].estimate.value = latency_ns;
  r.device.calibration["empty_request_ns"] = empty_ns;
  return r;
}

TEST(EmptyCallable, IsInvalidWhereACallTakesHardlyMoreThanNothing) {
  const auto finding = empty_callable(with_callable(2.1, 1.8));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::invalid);
  EXPECT_NE(finding->advice.find("strobe::keep"), std::string::npos);
  EXPECT_TRUE(empty_callable(with_callable(3.5, 1.8)));
  EXPECT_FALSE(empty_callable(with_callable(3.7, 1.8)));  // half of it is the callable's own
}

TEST(EmptyCallable, AdvisesUsersOfPythonOtherwise) {
  Record r = with_callable(20, 18);
  r.model.facts["python"] = "3.11.2";
  const auto finding = empty_callable(r);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->advice.find("strobe::keep"), std::string::npos);
  EXPECT_NE(finding->advice.find("strobe.stream"), std::string::npos);
}

TEST(EmptyCallable, IsNoFindingOfModelsNorWhereNothingWasCalibrated) {
  Record r = with_callable(2, 2);
  r.model.runtime = "strobe";  // work:null is meant to be empty
  EXPECT_FALSE(empty_callable(r));
  r = with_callable(2, 2);
  r.device.calibration.clear();
  EXPECT_FALSE(empty_callable(r));
}

TEST(SameInput, IsNotedWhenEveryTensorComesFromAFileOrThereIsOneSet) {
  EXPECT_TRUE(same_input(with_input("x.npy", 2)));
  EXPECT_TRUE(same_input(with_input("random", 1)));
  EXPECT_FALSE(same_input(with_input("random", 2)));
  EXPECT_FALSE(same_input(Record{}));
}

TEST(LowEntropyInput, IsNotedWhenMoreThanHalfOfTheValuesAreZero) {
  Record r;
  r.observations.input_zero_share = 0.51;
  EXPECT_TRUE(low_entropy_input(r));
  r.observations.input_zero_share = 0.49;
  EXPECT_FALSE(low_entropy_input(r));
}

TEST(LowEntropyInput, IsNotedWhenMostValuesAreTheSame) {
  Record r;
  r.observations.input_zero_share = 0;
  r.observations.input_repeated_share = 1;
  const auto ones = low_entropy_input(r);
  ASSERT_TRUE(ones);
  EXPECT_EQ(ones->message.find("zero"), std::string::npos) << ones->message;
  EXPECT_EQ(ones->evidence.at("repeated_share"), 1);
  r.observations.input_repeated_share = 0.5;
  EXPECT_FALSE(low_entropy_input(r));
}

TEST(SmallIntegers, AreNotedWhereNobodySaidWhichValuesAnIntegerInputHas) {
  Record r = with_input("random", 2);
  EXPECT_FALSE(small_integers(r));
  r.model.inputs.push_back({"steps", "i64", {}, "random"});
  const auto finding = small_integers(r);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::note);
  EXPECT_NE(finding->message.find("'steps'"), std::string::npos);
  EXPECT_NE(finding->advice.find("--input-range steps=0..1000"), std::string::npos);
  r.model.inputs.back().source = "random [0, 1000)";
  EXPECT_FALSE(small_integers(r));
  r.model.inputs.back().source = "steps.npy";
  EXPECT_FALSE(small_integers(r));
  r.model.inputs.back() = {"mask", "bool", {}, "random"};
  EXPECT_FALSE(small_integers(r));
}

TEST(InputFindings, AreWarningsWhenOtherInputsAreReallySlower) {
  Record r = with_input("x.npy", 2);
  r.observations.input_zero_share = 1;
  EXPECT_EQ(same_input(r)->severity, Severity::note);  // not measured
  r.observations.other_input_ratio = 1.005;
  EXPECT_EQ(same_input(r)->severity, Severity::note);
  EXPECT_EQ(low_entropy_input(r)->severity, Severity::note);
  r.observations.other_input_ratio = 1.05;
  EXPECT_EQ(same_input(r)->severity, Severity::warning);
  EXPECT_EQ(low_entropy_input(r)->severity, Severity::warning);
  EXPECT_NEAR(low_entropy_input(r)->evidence.at("effect"), 0.05, 1e-9);
}

TEST(OnePass, IsAWarningAndNoOtherFindingSaysWhatIsMissing) {
  Record r;
  r.metrics["span"].estimate.value = 1e6;
  r.observations.gate = GateObservation{false, "one pass", 0};
  EXPECT_FALSE(one_pass(r));
  EXPECT_TRUE(gate_unsafe(r));
  EXPECT_TRUE(no_sample(r));
  r.settings["pass"] = std::string("span");
  EXPECT_EQ(one_pass(r)->severity, Severity::warning);
  EXPECT_FALSE(gate_unsafe(r));
  EXPECT_FALSE(no_sample(r));
}

TEST(OneLaunch, IsNotedOnTheCpuOfAVirtualMachine) {
  Record r;
  r.device.kind = "cpu";
  EXPECT_FALSE(one_launch(r));
  r.host["virtualisation"] = std::string("virtual machine");
  EXPECT_TRUE(one_launch(r));
  r.device.kind = "simulated";
  EXPECT_FALSE(one_launch(r));
}

Record with_outputs(const OutputObservation& outputs) {
  Record r;
  r.observations.outputs = outputs;
  return r;
}

TEST(OutputMismatch, IsInvalidWhereOutputsDoNotRepeatAndAWarningForInfinities) {
  OutputObservation outputs;
  EXPECT_FALSE(output_mismatch(with_outputs(outputs)));
  outputs.distinct = false;  // a constant output is right
  EXPECT_FALSE(output_mismatch(with_outputs(outputs)));
  outputs.distinct = true;
  outputs.repeatable = false;
  outputs.worst_difference = 0.3;
  EXPECT_EQ(output_mismatch(with_outputs(outputs))->severity, Severity::invalid);
  outputs.repeatable = true;
  outputs.finite = false;
  EXPECT_EQ(output_mismatch(with_outputs(outputs))->severity, Severity::warning);
}

TEST(OutputMismatch, IsInvalidWhenTheOutputsAreOthersAfterTheLastRequest) {
  OutputObservation outputs;
  outputs.late_difference = 5e-5;  // within what adding in another order does
  EXPECT_FALSE(output_mismatch(with_outputs(outputs)));
  outputs.lasting = false;
  outputs.late_difference = 0.3;
  const auto finding = output_mismatch(with_outputs(outputs));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::invalid);
  EXPECT_NE(finding->message.find("after the last request"), std::string::npos);
}

TEST(OutputMismatch, IsANoteOfAFunctionWhoseCallsMayDiffer) {
  OutputObservation outputs;
  outputs.may_vary = true;
  EXPECT_FALSE(output_mismatch(with_outputs(outputs)));
  outputs.repeatable = false;
  outputs.worst_difference = 0.3;
  const auto varies = output_mismatch(with_outputs(outputs));
  EXPECT_EQ(varies->severity, Severity::note);
  EXPECT_NE(varies->advice.find("dropout"), std::string::npos);
  EXPECT_EQ(varies->advice.find("--"), std::string::npos) << "no options of the command line";
  outputs.repeatable = true;
  outputs.finite = false;
  EXPECT_EQ(output_mismatch(with_outputs(outputs))->severity, Severity::warning);
  EXPECT_EQ(output_mismatch(with_outputs(outputs))->advice.find("--"), std::string::npos);
}

TEST(EqualOutputs, AreANoteUnlessTheTimeShowsThatWorkWasSkipped) {
  EXPECT_FALSE(equal_outputs(Record{}));
  EXPECT_FALSE(equal_outputs(with_outputs(OutputObservation{})));
  OutputObservation outputs;
  outputs.distinct = false;
  Record r = with_outputs(outputs);
  EXPECT_EQ(equal_outputs(r)->severity, Severity::note);
  r.observations.new_input_ratio = 1.9;
  EXPECT_EQ(equal_outputs(r)->severity, Severity::note);
  r.observations.new_input_ratio = 3.0;  // new memory can do that, too
  EXPECT_EQ(equal_outputs(r)->severity, Severity::warning);
  r.observations.new_input_ratio = 50.0;
  EXPECT_EQ(equal_outputs(r)->severity, Severity::invalid);
  EXPECT_NE(equal_outputs(r)->message.find("50 times as long"), std::string::npos);
}

TEST(OddValues, AreNotedFromOneInAThousandSubnormalsOnAndFromTheFirstNaN) {
  Record r = with_input("x.npy", 2);
  r.observations.input_subnormal_share = 0.0009;
  r.observations.input_not_finite_share = 0;
  EXPECT_FALSE(odd_values(r));
  r.observations.input_subnormal_share = 0.0011;
  EXPECT_EQ(odd_values(r)->severity, Severity::note);  // the effect was not measured
  r.observations.other_input_ratio = 0.1;              // random ones are ten times as fast
  EXPECT_EQ(odd_values(r)->severity, Severity::warning);
  r.observations.other_input_ratio = 0.995;
  EXPECT_EQ(odd_values(r)->severity, Severity::note);
  r.observations.input_subnormal_share = 0;
  r.observations.input_not_finite_share = 1e-6;
  EXPECT_NE(odd_values(r)->message.find("infinite or NaN"), std::string::npos);
}

TEST(Governor, IsNotedUnlessItIsPerformanceOrNotKnown) {
  Record r;
  r.device.kind = "cpu";
  EXPECT_FALSE(governor(r));
  r.host["governor"] = std::string("performance");
  EXPECT_FALSE(governor(r));
  r.host["governor"] = std::string("powersave");
  EXPECT_EQ(governor(r)->severity, Severity::note);
  r.device.kind = "simulated";
  EXPECT_FALSE(governor(r));
}

TEST(NoisyHost, ListensToTheCanaryAndToStolenTime) {
  Record r;
  r.telemetry.facts["canary_excess"] = 0.029;
  r.telemetry.facts["steal_share"] = 0.004;
  EXPECT_FALSE(noisy_host(r));
  r.telemetry.facts["canary_excess"] = 0.05;
  EXPECT_EQ(noisy_host(r)->severity, Severity::warning);
  r.telemetry.facts["canary_excess"] = 0.0;
  r.telemetry.facts["steal_share"] = 0.006;
  EXPECT_EQ(noisy_host(r)->severity, Severity::note);  // its effect is below 1 %
}

TEST(DebugBuild, IsNoted) {
  Record r;
  r.strobe.build = "Debug";
  EXPECT_EQ(debug_build(r)->severity, Severity::note);
  r.strobe.build = "Release";
  EXPECT_FALSE(debug_build(r));
}

Metric figure_of(double median, double half_width) {
  Metric m;
  m.n = 1000;
  m.estimate = {median, median * (1 - half_width), median * (1 + half_width), true, {}};
  return m;
}

TEST(Severity, IsAWarningOnlyBeyondTheIntervalAndOnePercent) {
  Record r;
  r.metrics["latency"] = figure_of(1e6, 0.001);
  EXPECT_EQ(by_effect(0.009, r), Severity::note);
  EXPECT_EQ(by_effect(0.011, r), Severity::warning);
  r.metrics["latency"] = figure_of(1e6, 0.05);
  EXPECT_EQ(by_effect(0.04, r), Severity::note);
}

TEST(WrongOutput, NamesEveryBatchThatComputesSomethingElse) {
  Record r;
  r.verb = "throughput";
  r.metrics["throughput"] = figure_of(100, 0.01);
  r.cases.resize(2);
  r.cases[0].name = "batch 1";
  r.cases[0].outcome = "fits";
  r.cases[1].name = "batch 8";
  r.cases[1].outcome = "fits";
  EXPECT_FALSE(wrong_output(r));
  r.cases[1].outcome = "wrong-output";
  r.cases[1].about = "the last item differs";
  judge(r);
  ASSERT_EQ(r.findings.size(), 1U);
  EXPECT_EQ(r.findings[0].id, "wrong-output");
  EXPECT_NE(r.findings[0].message.find("batch 8: the last item differs"), std::string::npos);
  EXPECT_EQ(r.verdict, Verdict::caution);
}

TEST(NoSample, IsInvalid) {
  Record r;
  r.metrics["latency"].unknown = "interrupted";
  EXPECT_EQ(no_sample(r)->severity, Severity::invalid);
  r.metrics["latency"] = figure_of(1e6, 0.01);
  EXPECT_FALSE(no_sample(r));
}

TEST(SameInput, AdvisesMoreSetsWhereOneWasAskedForAndRandomValuesWhereFilesGiveThem) {
  const auto one = same_input(with_input("random", 1)), file = same_input(with_input("x.npy", 8));
  ASSERT_TRUE(one && file);
  EXPECT_NE(one->advice.find("--input-sets 2"), std::string::npos);
  EXPECT_NE(file->advice.find("Leave --input out"), std::string::npos);
  EXPECT_FALSE(same_input(with_input("random", 8)));
}

TEST(SameInput, IsNotSaidOfAWorkloadThatDoesNotTellHowManySetsItHas) {
  Record r = with_input("random", 2);
  r.observations.input_sets.reset();
  EXPECT_FALSE(same_input(r));
}

TEST(Severity, OfASearchGoesByTheIntervalOfItsRate) {
  Record r;
  r.metrics["throughput"] = figure_of(500, 0.05);
  EXPECT_EQ(by_effect(0.04, r), Severity::note);
  EXPECT_EQ(by_effect(0.06, r), Severity::warning);
}

TEST(TimerResolution, NamesTheMetricWithTheFewestTicks) {
  Record r;
  for (const auto& [metric, ticks] : {std::pair("device_time", 4.0), std::pair("latency", 30.0)}) {
    r.metrics[metric] = figure_of(ticks * 100, 0.001);
    r.metrics[metric].facts.tick = 100;
  }
  const auto finding = timer_resolution(r);
  ASSERT_TRUE(finding);
  EXPECT_DOUBLE_EQ(finding->evidence.at("ticks"), 4);
  EXPECT_EQ(finding->severity, Severity::invalid);
  r.metrics["device_time"].estimate.value = 4000;
  EXPECT_EQ(timer_resolution(r)->severity, Severity::warning);
  r.metrics["device_time"].estimate.value = 5000;
  r.metrics["latency"].estimate.value = 5000;
  EXPECT_FALSE(timer_resolution(r));  // fifty
}

TEST(Outliers, AreAWarningByTheirShareOfTheTimeAndNotOfTheRequests) {
  Record r;
  r.metrics["latency"] = figure_of(1e6, 0.001);
  r.metrics["latency"].outliers = {60, 0.06, 0.02, 2e6};
  EXPECT_EQ(outliers(r)->severity, Severity::note);
  r.metrics["latency"].outliers = {20, 0.02, 0.06, 4e6};
  EXPECT_EQ(outliers(r)->severity, Severity::warning);
  r.metrics["latency"].outliers = {9, 0.009, 0.009, 2e6};
  EXPECT_FALSE(outliers(r));
}

TEST(TooFewSamples, AreThoseBelowTwentyAndThoseThatBoundNothing) {
  Record r;
  r.metrics["latency"] = figure_of(1e6, 0.001);
  r.metrics["latency"].n = 19;
  EXPECT_TRUE(too_few_samples(r));
  r.metrics["latency"].n = 20;
  EXPECT_FALSE(too_few_samples(r));
  r.metrics["latency"].estimate.high.reset();
  EXPECT_TRUE(too_few_samples(r));
}

}  // namespace
}  // namespace strobe
