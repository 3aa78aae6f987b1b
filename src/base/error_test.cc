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

}  // namespace
}  // namespace strobe
