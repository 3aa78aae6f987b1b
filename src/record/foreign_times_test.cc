#include "record/foreign_times.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

std::string why(std::string_view text, std::string_view unit = {}, std::string_view name = {}) {
  try {
    parse_foreign_times(text, unit, name);
  } catch (const Error& e) {
    return e.what() + (" " + e.advice());
  }
  return {};
}

TEST(ForeignTimes, ReadsAColumnInItsUnit) {
  EXPECT_EQ(parse_foreign_times("1.5\n2\n", "ms").ns, (std::vector<double>{1.5e6, 2e6}));
  EXPECT_EQ(parse_foreign_times("0.001\n").ns, (std::vector<double>{1e6}));  // seconds, as most scripts print
  EXPECT_EQ(parse_foreign_times("latency\n# warm\n3 # slow\n\n4\n", "ns").ns, (std::vector<double>{3, 4}));
  EXPECT_EQ(parse_foreign_times(",\n;;\n3,\n", "ns").ns, (std::vector<double>{3}));  // separators alone are blank
}

TEST(ForeignTimes, ReadsTimeStampsBesideThem) {
  const ForeignTimes t = parse_foreign_times("t,us\n100,5\n101.5,6\n", "us");
  EXPECT_EQ(t.ns, (std::vector<double>{5e3, 6e3}));
  EXPECT_EQ(t.at_seconds, (std::vector<double>{0, 1.5}));
  EXPECT_TRUE(parse_foreign_times("5,1\n4,1\n").at_seconds.empty());  // they go back: they are none
}

TEST(ForeignTimes, ReadsTheRepetitionsOfGoogleBenchmark) {
  const char* text = R"({"benchmarks": [
    {"name": "a", "run_name": "a", "run_type": "iteration", "real_time": 2.5, "time_unit": "us"},
    {"name": "a", "run_name": "a", "run_type": "iteration", "real_time": 2.6, "time_unit": "us"},
    {"name": "a_mean", "run_name": "a", "run_type": "aggregate", "real_time": 9, "time_unit": "us"}]})";
  const ForeignTimes t = parse_foreign_times(text);
  EXPECT_EQ(t.tool, "google-benchmark");
  EXPECT_EQ(t.ns, (std::vector<double>{2500, 2600}));
}

TEST(ForeignTimes, AsksWhichOfSeveral) {
  const char* text = R"({"benchmarks": [{"name": "a", "real_time": 1, "time_unit": "ns"},
                                        {"name": "b", "real_time": 2, "time_unit": "ns"}]})";
  EXPECT_NE(why(text).find("--name: a, b"), std::string::npos) << why(text);
  EXPECT_EQ(parse_foreign_times(text, {}, "b").ns, (std::vector<double>{2}));
  EXPECT_NE(why(text, {}, "c").find("no such benchmark"), std::string::npos);
}

TEST(ForeignTimes, ReadsHyperfineAndPytestBenchmark) {
  const ForeignTimes h = parse_foreign_times(R"({"results": [{"command": "sleep 1", "times": [1.0, 1.1]}]})");
  EXPECT_EQ(h.tool, "hyperfine");
  EXPECT_EQ(h.ns, (std::vector<double>{1e9, 1.1e9}));
  const ForeignTimes p =
      parse_foreign_times(R"({"benchmarks": [{"name": "t", "stats": {"data": [0.5], "mean": 0.5}}]})");
  EXPECT_EQ(p.tool, "pytest-benchmark");
  EXPECT_EQ(p.ns, (std::vector<double>{5e8}));
  EXPECT_NE(why(R"({"benchmarks": [{"name": "t", "stats": {"mean": 0.5}}]})").find("--benchmark-save-data"),
            std::string::npos);
}

TEST(ForeignTimes, ReadsTrtexecAndNvbench) {
  const ForeignTimes t =
      parse_foreign_times(R"([{"startH2dMs": 10, "latencyMs": 1.5}, {"startH2dMs": 12, "latencyMs": 1.25}])");
  EXPECT_EQ(t.tool, "trtexec");
  EXPECT_EQ(t.ns, (std::vector<double>{1.5e6, 1.25e6}));
  EXPECT_NEAR(t.at_seconds[1], 0.002, 1e-12);
  const ForeignTimes n = parse_foreign_times(R"({"benchmarks": [{"name": "copy", "states": [{"name": "Device=0",
    "summaries": [{"tag": "nv/cold/time/gpu/mean", "data": [{"name": "value", "type": "float64", "value": "0.25"}]}]}]}]})");
  EXPECT_EQ(n.tool, "nvbench");
  EXPECT_EQ(n.ns, (std::vector<double>{2.5e8}));
}

TEST(ForeignTimes, SaysWhatItCannotRead) {
  EXPECT_NE(why("").find("no times"), std::string::npos);
  EXPECT_NE(why("1\nx\n").find("line 2"), std::string::npos);
  EXPECT_NE(why("1 2 3\n").find("3 columns"), std::string::npos);
  EXPECT_NE(why("1\n2 3\n").find("line 2"), std::string::npos);
  EXPECT_NE(why("-1\n").find("negative"), std::string::npos);
  EXPECT_NE(why("nan\n").find("no times"), std::string::npos);  // a heading, and nothing below it
  EXPECT_NE(why("1\n", "minutes").find("--unit"), std::string::npos);
  EXPECT_NE(why("{\"a\": 1}").find("no tool"), std::string::npos);
  EXPECT_NE(why("{\"benchmarks\": [").find("whole JSON"), std::string::npos);
}

}  // namespace
}  // namespace strobe
