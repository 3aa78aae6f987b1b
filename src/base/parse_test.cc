// SPDX-License-Identifier: Apache-2.0
#include "base/parse.h"

#include <array>

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

std::string complaint(auto&& f) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::usage);
    return e.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(ParseTime, ReadsNumbersWithUnits) {
  EXPECT_EQ(parse_time("10ms", "--max-time"), 10ms);
  EXPECT_EQ(parse_time("250us", "t"), 250us);
  EXPECT_EQ(parse_time("1.5s", "t"), 1500ms);
  EXPECT_EQ(parse_time("2min", "t"), 2min);
  EXPECT_EQ(parse_time("0", "t"), 0ns);
}

TEST(ParseTime, RefusesWhatHasNoUnitOrIsNoTime) {
  EXPECT_NE(complaint([] { parse_time("10", "--max-time"); }).find("cannot read --max-time '10': it has no unit"),
            std::string::npos);
  EXPECT_NE(complaint([] { parse_time("10 parsecs", "t"); }).find("'parsecs' is not a unit"), std::string::npos);
  for (const char* bad : {"", "ms", "-1s", "nan s", "inf s", "1e300s", "1s2"}) complaint([&] { parse_time(bad, "t"); });
}

TEST(ParseShape, ReadsDimensionsAndAType) {
  const ShapeText s = parse_shape("1x128:i64", "--shape");
  EXPECT_EQ(s.dims, (std::vector<std::int64_t>{1, 128}));
  EXPECT_EQ(s.type, "i64");
  EXPECT_TRUE(parse_shape("scalar", "--shape").dims.empty());
}

TEST(ParseShape, RefusesZeroNegativeAndOverflowingDimensions) {
  EXPECT_NE(complaint([] { parse_shape("1x0x3", "--shape"); }).find("dimension 1 is 0"), std::string::npos);
  EXPECT_NE(complaint([] { parse_shape("4294967296x4294967296", "--shape"); }).find("more elements than any memory"),
            std::string::npos);
  for (const char* bad : {"", "x", "1x", "1,2", "-1x3", "99999999999999999999", "1x2:", "1.5"}) {
    complaint([&] { parse_shape(bad, "--shape"); });
  }
}

TEST(ParseShare, ReadsFractionsAndPercentages) {
  EXPECT_DOUBLE_EQ(parse_share("0.5%", "--margin"), 0.005);
  EXPECT_DOUBLE_EQ(parse_share("0.005", "--margin"), 0.005);
  complaint([] { parse_share("2", "--margin"); });
}

TEST(ParsePercentile, ReadsThePercentileWithAndWithoutItsLetter) {
  for (const char* text : {"99", "p99", "P99", " 99%", "99.0"}) EXPECT_DOUBLE_EQ(parse_percentile(text, "it"), 0.99);
  EXPECT_DOUBLE_EQ(parse_percentile("p99.9", "it"), 0.999);
}

TEST(ParsePercentile, RefusesAFractionAndSaysWhatWasProbablyMeant) {
  EXPECT_EQ(complaint([] { parse_percentile("0.99", "--percentiles"); }),
            "cannot read --percentiles '0.99': percentiles are between 1 and 100 here. Did you mean 99?");
  EXPECT_EQ(complaint([] { parse_percentile("p0.999", "it"); }),
            "cannot read it 'p0.999': percentiles are between 1 and 100 here. Did you mean 99.9?");
}

TEST(ParsePercentile, RefusesWhatIsNone) {
  for (const char* text : {"", "p", "pp99", "99th", "0", "100", "-1", "nan", "inf"})
    EXPECT_THROW(parse_percentile(text, "it"), Error) << text;
}

TEST(Nearest, FindsATypoButNoStranger) {
  const std::array<std::string, 3> verbs{"run", "methods", "doctor"};
  EXPECT_EQ(nearest("metods", verbs), "methods");
  EXPECT_EQ(nearest("throughput", verbs), "");
  EXPECT_EQ(did_you_mean("docto", verbs), " Did you mean 'doctor'?");
}

TEST(ParseBytes, TakesDecimalAndBinaryUnits) {
  EXPECT_EQ(parse_bytes("64MiB", "x").count, 67'108'864u);
  EXPECT_EQ(parse_bytes(" 1.5 GB ", "x").count, 1'500'000'000u);
  EXPECT_EQ(parse_bytes("512B", "x").count, 512u);
  for (const char* bad : {"", "64", "-1MB", "1mb", "MiB", "1e300GB", "nanB"})
    EXPECT_THROW(parse_bytes(bad, "x"), Error) << bad;
}

}  // namespace
}  // namespace strobe
