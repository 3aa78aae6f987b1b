#include "report/delimited.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

Record record_to_quote() {
  Record r;
  r.model.name = "a,\"b\".onnx";
  r.device.name = "cpu";
  r.strobe.version = "0.1.0";
  Metric m;
  m.n = 20;
  m.n_eff = 20;
  m.median = {1.5e6, 1.4e6, std::nullopt, true, {}};
  m.min = 1e6;
  m.max = 2e6;
  r.metrics["latency"] = m;
  r.metrics["device_time"].unknown = "no gate";
  r.cases = {{"x|y", {}, {{"reading", m}}, {}, "", "", {}}, {"=bad", {}, {}, {}, "cannot, at all", "", {}}};
  r.findings = {{"drift", About::measurement, Severity::warning, "it <drifts>", "Wait.", {}}};
  return r;
}

TEST(Csv, QuotesWhatWouldBreakARow) {
  const Record r = record_to_quote();
  const std::string csv = csv_of({&r, 1});
  EXPECT_EQ(csv,
            "model,case,metric,unit,n,n_eff,median,low,high,mean,min,max,error\n"
            "\"a,\"\"b\"\".onnx\",,latency,ns,20,20,1.5e+06,1.4e+06,,,1e+06,2e+06,\n"
            "\"a,\"\"b\"\".onnx\",,device_time,,,,,,,,,,no gate\n"
            "\"a,\"\"b\"\".onnx\",x|y,reading,ns,20,20,1.5e+06,1.4e+06,,,1e+06,2e+06,\n"
            "\"a,\"\"b\"\".onnx\",'=bad,,,,,,,,,,,\"cannot, at all\"\n");
  for (std::size_t from = 0, to; (to = csv.find('\n', from)) != std::string::npos; from = to + 1) {
    // Every row has the same number of cells: commas outside quotes.
    int commas = 0;
    bool quoted = false;
    for (const char c : csv.substr(from, to - from)) quoted ^= c == '"', commas += c == ',' && !quoted;
    EXPECT_EQ(commas, 12) << csv.substr(from, to - from);
  }
}

TEST(Markdown, EscapesWhatWouldEndTheTable) {
  const std::string md = render_markdown(record_to_quote(), {});
  EXPECT_NE(md.find("| x\\|y | reading | 1.50 ms |"), std::string::npos) << md;
  EXPECT_NE(md.find("it \\<drifts\\>"), std::string::npos) << md;
  EXPECT_NE(md.find("verdict: **trusted**"), std::string::npos);
}

TEST(Csv, HasALineForEachStageOfACase) {
  Record r;
  r.verb = "pipeline";
  Case c;
  c.name = "event";
  c.stages = {{"large", {{"reading", {}}}, ""}};
  r.cases = {c};
  const std::string csv = format_named("csv").render(r, {});
  EXPECT_NE(csv.find(",event: large,reading,ns,"), std::string::npos);
}

}  // namespace
}  // namespace strobe
