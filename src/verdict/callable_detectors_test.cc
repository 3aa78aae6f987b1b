// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "verdict/detectors.h"

namespace strobe {
namespace {

Record of_callable(Scalars facts) {
  Record r;
  r.model.facts = std::move(facts);
  r.window_ns = 1e9;
  return r;
}

TEST(TrainingMode, IsAWarningAboutTheWorkloadOfAModuleThatTrains) {
  const auto finding = training_mode(of_callable({{"training", true}}));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->about, About::workload);
  EXPECT_NE(finding->advice.find("eval()"), std::string::npos);
  EXPECT_FALSE(training_mode(of_callable({{"training", false}})));
  EXPECT_FALSE(training_mode(Record{}));
}

TEST(AutogradOn, IsAWarningAboutTheWorkloadWhereResultsRequireGradients) {
  const auto finding = autograd_on(of_callable({{"autograd", true}}));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->about, About::workload);
  EXPECT_FALSE(autograd_on(of_callable({{"autograd", false}})));
  EXPECT_FALSE(autograd_on(of_callable({{"inference_mode", true}})));
}

TEST(CompiledMeanwhile, IsADoubtAboutTheMeasurement) {
  const auto finding = compiled_meanwhile(of_callable({{"compiled_meanwhile", std::int64_t{3}}}));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->about, About::measurement);
  EXPECT_EQ(finding->severity, Severity::warning);
  EXPECT_EQ(finding->message, "torch.compile compiled 3 graphs while requests were timed");
  EXPECT_FALSE(compiled_meanwhile(of_callable({{"torch", std::string("2.11")}})));
}

TEST(AllocatorRetries, DoubtWhatIsTimedBehindTheGate) {
  const auto finding = allocator_retries(of_callable({{"allocator_retries", std::int64_t{1}}}));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::warning);
  EXPECT_NE(finding->message.find("1 time while"), std::string::npos) << finding->message;
  EXPECT_FALSE(allocator_retries(of_callable({{"allocator_retries", std::int64_t{0}}})));
}

TEST(CudnnBenchmark, IsANoteAboutTheWorkload) {
  const auto finding = cudnn_benchmark(of_callable({{"cudnn_benchmark", true}}));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->about, About::workload);
  EXPECT_EQ(finding->severity, Severity::note);
  EXPECT_FALSE(cudnn_benchmark(of_callable({{"cudnn_benchmark", false}})));
}

TEST(OtherThreads, AreAWarningWhereTheyWorkedForMoreThanOnePerCentOfTheTime) {
  const auto worked = [](std::int64_t ns) {
    return other_threads(of_callable({{"other_threads", std::int64_t{2}}, {"other_threads_ns", ns}}));
  };
  ASSERT_TRUE(worked(300'000'000));
  EXPECT_EQ(worked(300'000'000)->severity, Severity::warning);
  EXPECT_EQ(worked(300'000'000)->message, "2 other threads of Python worked beside the requests, for 30 % of the time");
  EXPECT_EQ(worked(3'000'000)->severity, Severity::note);
  EXPECT_FALSE(other_threads(of_callable({})));
}

}  // namespace
}  // namespace strobe
