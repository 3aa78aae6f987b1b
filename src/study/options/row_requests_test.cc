// SPDX-License-Identifier: Apache-2.0
#include "study/options/row_requests.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

std::string complaint_about(const char* typed) {
  std::size_t n = 0;
  try {
    kinds::RowRequests::read({typed}, "--requests", n);
  } catch (const Error& e) {
    return e.what();
  }
  return std::to_string(n);
}

TEST(RowRequests, LeadWhoAsksForOneToTheFirstCall) {
  EXPECT_EQ(complaint_about("5"), "5");
  const std::string few = complaint_about("1");
  EXPECT_NE(few.find("each row is read in 5 rounds, so it must be at least 5"), std::string::npos) << few;
  EXPECT_NE(few.find("--methods first-call"), std::string::npos) << few;
  EXPECT_NE(complaint_about("-1").find("at least 0"), std::string::npos);
  EXPECT_THROW(kinds::RowRequests::check(4, "requests"), Error);
  EXPECT_NO_THROW(kinds::RowRequests::check(5, "requests"));
}

}  // namespace
}  // namespace strobe
