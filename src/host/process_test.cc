// SPDX-License-Identifier: Apache-2.0
#include "host/process.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

TEST(Process, GivesOutputErrorsAndTheExitCode) {
  const ProcessResult r =
      run_process({"sh", "-c", "cat; echo $GREETING; echo oops >&2; exit 7"}, {"GREETING=hello"}, "in\n");
  EXPECT_EQ(r.out, "in\nhello\n");
  EXPECT_EQ(r.err, "oops\n");
  EXPECT_EQ(r.exit_code, 7);
}

TEST(Process, SaysWhichSignalEndedIt) {
  const ProcessResult r = run_process({"sh", "-c", "kill -9 $$"});
  EXPECT_EQ(r.exit_code, -1);
  EXPECT_EQ(r.signal, 9);
}

TEST(Process, MovesMoreThanAPipeHoldsInBothDirections) {
  const std::string big(3'000'000, 'x');
  EXPECT_EQ(run_process({"cat"}, {}, big).out.size(), big.size());
}

TEST(Process, SurvivesAChildThatDoesNotReadItsInput) {
  EXPECT_EQ(run_process({"true"}, {}, std::string(1'000'000, 'x')).exit_code, 0);
}

TEST(Process, AProgramThatIsNotThereIsAnError) {
  EXPECT_THROW(run_process({"/no/such/program"}), Error);
}

}  // namespace
}  // namespace strobe
