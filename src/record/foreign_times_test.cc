// SPDX-License-Identifier: Apache-2.0
#include "record/foreign_times.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

std::string why(std::string_view text, const ForeignTimesOptions& o = {}) {
  try {
    parse_foreign_times(text, o);
  } catch (const Error& e) {
    return e.what() + (" " + e.advice());
  }
  return {};
}

std::vector<double> ns(std::string_view text, const ForeignTimesOptions& o = {}) {
  return parse_foreign_times(text, o).ns;
}

using Numbers = std::vector<double>;

TEST(ForeignTimes, ReadsAColumnInItsUnit) {
  EXPECT_EQ(ns("1.5\n2\n", {.unit = "ms"}), (Numbers{1.5e6, 2e6}));
  EXPECT_EQ(ns("0.001\n"), (Numbers{1e6}));  // seconds, as most scripts print
  EXPECT_EQ(ns("latency\n# warm\n3 # slow\n\n4\n", {.unit = "ns"}), (Numbers{3, 4}));
  EXPECT_EQ(ns(",\n3,\n", {.unit = "ns"}), (Numbers{3}));  // separators alone are blank
  EXPECT_EQ(ns(";;\n3;\n", {.unit = "ns"}), (Numbers{3}));
}

TEST(ForeignTimes, ReadsTimeStampsBesideThem) {
  const ForeignTimes t = parse_foreign_times("t,us\n100,5\n101.5,6\n", {.unit = "us"});
  EXPECT_EQ(t.ns, (Numbers{5e3, 6e3}));
  EXPECT_EQ(t.at_seconds, (Numbers{0, 1.5}));
  EXPECT_EQ(parse_foreign_times("1.5 1\n2 1\n").at_seconds, (Numbers{0, 0.5}));
  EXPECT_EQ(parse_foreign_times("start_ms;latency_us\n1;5\n3;6\n").at_seconds, (Numbers{0, 0.002}));
  EXPECT_TRUE(parse_foreign_times("5.0,1\n4.0,1\n").at_seconds.empty());  // they go back: they are none
}

TEST(ForeignTimes, TakesTheUnitFromTheHeading) {
  for (const char* heading : {"latency_ms", "Latency (ms)", "latencyMs", "time [msec]", "ms", "milliseconds", "# ms"})
    EXPECT_EQ(ns(std::string(heading) + "\n1.5\n"), (Numbers{1.5e6})) << heading;
  EXPECT_EQ(ns("\xEF\xBB\xBFtime_us\r\n1.5\r\n2.5\r\n"), (Numbers{1500, 2500}));
  EXPECT_EQ(ns("the model's time\n1\n"), (Numbers{1e9}));
  EXPECT_NE(why("latency_ms\n1\n", {.unit = "s"}).find("says ms"), std::string::npos);
}

TEST(ForeignTimes, RefusesMoreColumnsThanHeadings) {
  EXPECT_THROW(parse_foreign_times("run,latency_ms\n0,30,3865\n1,30,4012\n", {}), Error);
  EXPECT_EQ(parse_foreign_times("run,latency_ms\n0,30.3865\n1,30.4012\n", {}).ns.size(), 2u);
}

TEST(ForeignTimes, TakesTheUnitBehindANumber) {
  EXPECT_EQ(ns("88.2 ms\n900us\n1.5 \xC2\xB5s\n"), (Numbers{88.2e6, 900e3, 1.5e3}));
  EXPECT_EQ(ns("run;time\n1;\"88.2 ms\"\n2;89 ms\n"), (Numbers{88.2e6, 89e6}));
  EXPECT_NE(why("88.2 kg\n").find("line 1"), std::string::npos) << why("1\n88.2 kg\n");
}

TEST(ForeignTimes, RecognisesDecimalCommasWhereTheyAreCertain) {
  EXPECT_EQ(ns("30,0123\n31,5\n", {.unit = "ms"}), (Numbers{30.0123e6, 31.5e6}));  // no whole number begins with 0
  EXPECT_EQ(ns("latency_ms\n30,5\n31,25\n"), (Numbers{30.5e6, 31.25e6}));          // one heading, one column
  EXPECT_EQ(ns("30,5\n31\n", {.unit = "ms"}), (Numbers{30.5e6, 31e6}));            // lines with and without
  EXPECT_EQ(ns("1;30,5\n2;31,5\n", {.unit = "ms"}), (Numbers{30.5e6, 31.5e6}));    // semicolons separate
  EXPECT_EQ(ns("1\t30,5\n2\t31,5\n", {.unit = "ms"}), (Numbers{30.5e6, 31.5e6}));
  EXPECT_EQ(ns("\"30,5\"\n\"31,5\"\n", {.unit = "ms"}), (Numbers{30.5e6, 31.5e6}));
}

TEST(ForeignTimes, AsksWhereACommaMayBeEither) {
  const char* text = "30,5\n31,25\n";
  EXPECT_NE(why(text).find("--decimal comma"), std::string::npos) << why(text);
  EXPECT_EQ(ns(text, {.unit = "ms", .decimal = DecimalSign::comma}), (Numbers{30.5e6, 31.25e6}));
  EXPECT_EQ(ns(text, {.unit = "ms", .decimal = DecimalSign::point}), (Numbers{5e6, 25e6}));
  EXPECT_NE(why("a;ms\n1.5;2,5\n").find("--decimal"), std::string::npos);
  EXPECT_NE(why("t,ms\n0,5,30,1\n").find("--decimal"), std::string::npos);
}

TEST(ForeignTimes, TakesTheColumnThatIsNamed) {
  const char* text = "model,batch,latency_ms,p99_ms\nresnet,1,2.5,3\nresnet,1,2.6,3\n";
  EXPECT_NE(why(text).find("--column"), std::string::npos) << why(text);
  EXPECT_EQ(ns(text, {.column = "latency_ms"}), (Numbers{2.5e6, 2.6e6}));
  EXPECT_EQ(ns(text, {.column = "4"}), (Numbers{3e6, 3e6}));
  EXPECT_NE(why(text, {.column = "latency"}).find("model, batch, latency_ms"), std::string::npos);
  EXPECT_NE(why(text, {.column = "0"}).find("no such column"), std::string::npos);
  EXPECT_EQ(ns(",latency_ms\n0,2.5\n1,2.6\n"), (Numbers{2.5e6, 2.6e6}));  // pandas writes its index first
  EXPECT_NE(why("run,latency\n1,2\n").find("--column"), std::string::npos);
}

TEST(ForeignTimes, ReadsStrobesOwnSamples) {
  const std::string text = R"(pass,round,state,requests,begin_ns,submitted_ns,done_ns,device_ns
latency,0,warm-up,1,1000,1100,2000,0
latency,0,settling,1,2000,2100,9000,0
latency,1,kept,2,3000,3100,7000,0
span,1,kept,1,8000,8100,9900,1500
)";
  const ForeignTimes t = parse_foreign_times(text);
  EXPECT_EQ(t.tool, "strobe");
  EXPECT_EQ(t.ns, (Numbers{1000, 2000}));
  ASSERT_EQ(t.at_seconds.size(), 2u);
  EXPECT_NEAR(t.at_seconds[1], 2e-6, 1e-15);  // 3000 ns, counted from the first sample's 1000
  EXPECT_EQ(ns(text, {.name = "span"}), (Numbers{1500}));
  EXPECT_NE(why(text, {.name = "period"}).find("--name: latency, span"), std::string::npos);
  EXPECT_EQ(ns(text, {.column = "done_ns"}).size(), 4u);
}

TEST(ForeignTimes, TellsWhetherAFileMayHoldTimes) {
  EXPECT_TRUE(may_hold_times(R"({"results": []})"));
  EXPECT_TRUE(may_hold_times("latency_ms\n30,5\n"));
  EXPECT_FALSE(may_hold_times("{}"));
  EXPECT_FALSE(may_hold_times("{\"schema\": "));
  EXPECT_FALSE(may_hold_times("some words\nand more\n"));
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
  EXPECT_EQ(ns(text, {.name = "b"}), (std::vector<double>{2}));
  EXPECT_NE(why(text, {.name = "c"}).find("no such benchmark"), std::string::npos);
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
  EXPECT_NE(why("1\n", {.unit = "minutes"}).find("--unit"), std::string::npos);
  EXPECT_NE(why("{\"schema\": \"strobe/1\"}").find("Leave --times out"), std::string::npos);
  EXPECT_NE(why("\xFF\xFE"
                "1\n")
                .find("UTF-16"),
            std::string::npos);
  EXPECT_NE(why("a,ms\n1,2\n3\n").find("line 3"), std::string::npos);
  EXPECT_NE(why("{\"a\": 1}").find("no tool"), std::string::npos);
  EXPECT_NE(why("{\"benchmarks\": [").find("whole JSON"), std::string::npos);
}

TEST(ForeignTimes, SayThatTheyWereReadAsSecondsWhereNobodyNamesAUnit) {
  const auto note = [](const char* text, const char* unit = "") {
    return parse_foreign_times(text, {.unit = unit}).note;
  };
  EXPECT_EQ(note("0.012\n0.013\n"), "read as seconds; --unit ms changes it");
  EXPECT_EQ(note("12 ms\n0.013\n"), "read as seconds; --unit ms changes it");
  EXPECT_EQ(note("12 ms\n13 ms\n"), "");
  EXPECT_EQ(note("0.012\n", "s"), "");
  EXPECT_EQ(note("latency_ms\n12\n"), "ms by its heading");
}

TEST(ForeignTimes, AskForAUnitWhereSecondsAreNotPlausible) {
  EXPECT_THROW(parse_foreign_times("1234\n1240\n1250\n"), Error);
  EXPECT_NO_THROW(parse_foreign_times("1234\n1240\n1250\n", {.unit = "s"}));
  EXPECT_NO_THROW(parse_foreign_times("seconds\n1234\n1240\n"));
  EXPECT_NO_THROW(parse_foreign_times("2.5\n2.6\n1234\n"));  // one of them was slow
}

TEST(ForeignTimes, LeavesRepetitionsOutThatFailed) {
  const char* text = R"({"benchmarks": [
    {"name": "a", "run_type": "iteration", "real_time": 2.5, "time_unit": "us"},
    {"name": "a", "run_type": "iteration", "real_time": 0, "time_unit": "us", "error_occurred": true}]})";
  EXPECT_EQ(ns(text), (Numbers{2500}));
}

}  // namespace
}  // namespace strobe
