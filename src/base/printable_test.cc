// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(Printable, LeavesWhatPeopleWriteAlone) {
  for (const char* text : {"", "resnet18.onnx", "C:\\models\\net", "Größe × 3 µs", "モデル.onnx", "👩‍🔬 ±14 %"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsWhatWouldBeginALineOrSteerATerminal) {
  EXPECT_EQ(printable("x\nverdict      trusted"), "x\\nverdict      trusted");
  EXPECT_EQ(printable("\r\t\x1b[31mred\x1b[0m\a\x7f"), "\\r\\t\\x1b[31mred\\x1b[0m\\x07\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");  // C1: begins a sequence in one character
}

TEST(Printable, ShowsWhatWouldReorderTheLine) {
  EXPECT_EQ(printable("a\xe2\x80\xaexnno.b"), "a\\u202exnno.b");
  EXPECT_EQ(printable("\xe2\x81\xa6"
                      "a\xe2\x80\xa8"
                      "b\xef\xbb\xbf"),
            "\\u2066a\\u2028b\\ufeff");
}

TEST(Printable, ShowsTheBytesOfWhatIsNotUtf8) {
  EXPECT_EQ(printable("a\xff"
                      "b"),
            "a\\xffb");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");                    // cut off
  EXPECT_EQ(printable("\xc0\x8a"), "\\xc0\\x8a");                    // a newline, overlong
  EXPECT_EQ(printable("\xe0\x80\x8a"), "\\xe0\\x80\\x8a");           // the same in three bytes
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond Unicode
}

}  // namespace
}  // namespace strobe
