// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

TEST(Error, IsOneSentenceThatNamesTheThingTheCauseAndWhatToDo) {
  const Error e(ErrorCode::not_found, "cannot open 'a.onnx'", "no such file", "Check the path.");
  EXPECT_STREQ(e.what(), "cannot open 'a.onnx': no such file. Check the path.");
}

TEST(Error, DropsFullStopsAndNewlinesThatLibrariesPutBehindTheirMessages) {
  EXPECT_STREQ(Error(ErrorCode::failed, "cannot run", "bad shape.\n").what(), "cannot run: bad shape");
}

TEST(Error, LeavesOutEmptyParts) {
  EXPECT_STREQ(Error(ErrorCode::failed, "cannot run").what(), "cannot run");
}

TEST(ErrorCode, HasAWordThatNamesItAgain) {
  for (int i = 0; i <= static_cast<int>(ErrorCode::interrupted); ++i) {
    const auto code = static_cast<ErrorCode>(i);
    EXPECT_EQ(error_code_of(error_code_word(code)), code) << i;
  }
  EXPECT_EQ(error_code_word(ErrorCode::not_found), "not-found");
  EXPECT_EQ(error_code_of("of a newer version"), ErrorCode::failed);
}

}  // namespace
}  // namespace strobe
