// SPDX-License-Identifier: Apache-2.0
#include "report/cpus_text.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(CpusText, NamesTheCpuOfEachLaunch) {
  EXPECT_EQ(cpus_text({{5}, 0, {{"latency", {5}}}}), "pinned to CPU 5");
  EXPECT_EQ(cpus_text({{5, 5}, 0, {{"latency", {5}}}}), "pinned to CPU 5");
  EXPECT_EQ(cpus_text({{5, 7, 5}, 0, {{"latency", {5, 7}}}}), "pinned to one CPU in each launch: 5, 7, 5");
}

TEST(CpusText, CountsTheMovesOfAThreadThatIsNotPinned) {
  EXPECT_EQ(cpus_text({{}, 0, {{"latency", {3}}}}), "not pinned: measured on CPU 3, moved 0 times");
  EXPECT_EQ(cpus_text({{}, 1, {{"latency", {3}}, {"period", {0, 3}}}}),
            "not pinned: measured on 2 CPUs (0, 3), moved 1 time");
  EXPECT_EQ(cpus_text({{}, 12, {{"latency", {0, 1, 2, 3, 4, 5, 6, 7, 8}}}}),
            "not pinned: measured on 9 CPUs, moved 12 times");
}

}  // namespace
}  // namespace strobe
