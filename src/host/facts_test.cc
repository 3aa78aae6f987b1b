// SPDX-License-Identifier: Apache-2.0
#include "host/facts.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(HostFacts, ReadTheQuotaOfACgroup) {
  EXPECT_DOUBLE_EQ(*parse_cpu_max("200000 100000"), 2);
  EXPECT_DOUBLE_EQ(*parse_cpu_max("50000 100000"), 0.5);
  EXPECT_FALSE(parse_cpu_max("max 100000"));
  EXPECT_FALSE(parse_cpu_max(""));
  EXPECT_FALSE(parse_cpu_max("0 0"));
}

TEST(HostFacts, NameTheMachine) {
  const Scalars facts = host_facts();
  for (const char* key : {"kernel", "machine", "cores", "memory_bytes", "libc"})
    EXPECT_TRUE(facts.contains(key)) << key;
  EXPECT_GE(std::get<std::int64_t>(facts.at("cores")), 1);
  EXPECT_GT(available_memory()->count, 1u << 20);
}

TEST(HostFacts, KeepTheVariablesThatSteerRuntimesAndNoOthers) {
  ::setenv("OMP_NUM_THREADS", "3", 1);
  ::setenv("MY_OMP_SECRET", "x", 1);
  const Scalars facts = host_facts();
  EXPECT_EQ(std::get<std::string>(facts.at("env.OMP_NUM_THREADS")), "3");
  EXPECT_FALSE(facts.contains("env.MY_OMP_SECRET"));
  ::unsetenv("OMP_NUM_THREADS");
  ::unsetenv("MY_OMP_SECRET");
}

TEST(HostFacts, KnowTheWordsThisProgramWasStartedWith) {
  EXPECT_FALSE(command_line().empty());
}

TEST(HostFacts, GiveTheTimeInUtc) {
  const std::string now = utc_now();
  EXPECT_EQ(now.size(), 20u);
  EXPECT_EQ(now.back(), 'Z');
}

}  // namespace
}  // namespace strobe
