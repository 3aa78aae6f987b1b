// SPDX-License-Identifier: Apache-2.0
#include "cli/shell_line.h"

#include <gtest/gtest.h>

namespace strobe::cli {
namespace {

TEST(ShellLine, LeavesPlainWordsAsTheyAre) {
  EXPECT_EQ(shell_line({"strobe", "run", "zoo:resnet18", "--shape=x=1x3", "a/b_c-1.onnx"}),
            "strobe run zoo:resnet18 --shape=x=1x3 a/b_c-1.onnx");
}

TEST(ShellLine, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_line({"my model.onnx", "it's", "", "a$b", "x;y", "regex:^(a|b)$", "~", "naïve"}),
            "'my model.onnx' 'it'\\''s' '' 'a$b' 'x;y' 'regex:^(a|b)$' '~' 'naïve'");
}

}  // namespace
}  // namespace strobe::cli
