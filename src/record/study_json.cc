// SPDX-License-Identifier: Apache-2.0
// The parts of a record that a study with several results adds: cases, comparisons, launches, a time line.
#include "record/json_fields.h"
#include "record/names.h"

namespace strobe::record_json {
Json write(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& f : findings) {
    Json j{{"id", f.id},
           {"about", name(f.about)},
           {"severity", name(f.severity)},
           {"message", f.message},
           {"advice", f.advice}};
    if (!f.evidence.empty()) j["evidence"] = write(f.evidence);
    list.push_back(std::move(j));
  }
  return list;
}

void read(const Reader& r, std::vector<Finding>& findings) {
  r.each("findings", [&](const Json& x, const std::string& p) {
    const Reader f(x, p);
    Finding& finding = findings.emplace_back();
    std::string about = "measurement", severity = "note";
    f.get("id", finding.id);
    f.get("about", about);
    f.get("severity", severity);
    finding.about = parse_name<About>(about);
    finding.severity = parse_name<Severity>(severity);
    f.get("message", finding.message);
    f.get("advice", finding.advice);
    f.with("evidence", [&](const Json& e, const std::string& q) { read(e, q, finding.evidence); });
  });
}

namespace {

using record_json::read;
using record_json::write;

Json write(const Case& c) {
  Writer w;
  w.put("name", c.name);
  if (c.model) w.put("model", write(*c.model));
  if (c.device) w.put("device", write(*c.device));
  w.put("settings", write(c.settings));
  w.put("about", c.about);
  w.put("error", c.error);
  w.put("difference", c.difference);
  w.put("outcome", c.outcome);
  w.put("answer", write(c.answer));
  w.put("metrics", write(c.metrics));
  Json stages = Json::array();
  for (const Stage& stage : c.stages) {
    Writer s;
    s.put("name", stage.name);
    s.put("about", stage.about);
    s.put("metrics", write(stage.metrics));
    stages.push_back(std::move(s.json));
  }
  w.put("stages", stages);
  w.put("findings", write(c.findings));
  return w.json;
}

void read(const Json& j, const std::string& path, Case& c) {
  const Reader r(j, path);
  r.get("name", c.name);
  r.with("model", [&](const Json& x, const std::string& p) { read(x, p, c.model.emplace()); });
  r.with("device", [&](const Json& x, const std::string& p) { read(x, p, c.device.emplace()); });
  r.with("settings", [&](const Json& x, const std::string& p) { read(x, p, c.settings); });
  r.get("about", c.about);
  r.get("error", c.error);
  r.get("difference", c.difference);
  r.get("outcome", c.outcome);
  r.with("answer", [&](const Json& x, const std::string& p) { read(x, p, c.answer); });
  r.with("metrics", [&](const Json& x, const std::string& p) { read(x, p, c.metrics); });
  r.each("stages", [&](const Json& x, const std::string& p) {
    const Reader s(x, p);
    Stage& stage = c.stages.emplace_back();
    s.get("name", stage.name);
    s.get("about", stage.about);
    s.with("metrics", [&](const Json& m, const std::string& q) { read(m, q, stage.metrics); });
  });
  read(r, c.findings);
}

Json write(const std::vector<Case>& cases) {
  Json list = Json::array();
  for (const Case& c : cases) list.push_back(write(c));
  return list;
}

Json write(const Comparison& c) {
  Writer w;
  w.put("a", c.a);
  w.put("b", c.b);
  w.put("metric", c.metric);
  w.put("ratio", write(c.ratio));
  w.put("outcome", c.outcome);
  w.put("pairs", c.pairs);
  w.put("needs", c.needs);
  w.put("percentile", c.percentile);
  return w.json;
}

void read(const Json& j, const std::string& path, Comparison& c) {
  const Reader r(j, path);
  r.get("a", c.a);
  r.get("b", c.b);
  r.get("metric", c.metric);
  r.with("ratio", [&](const Json& x, const std::string& p) { read(x, p, c.ratio); });
  r.get("outcome", c.outcome);
  r.get("pairs", c.pairs);
  r.get("needs", c.needs);
  r.get("percentile", c.percentile);
}

Json write(const FailOn& f) {
  Writer w;
  w.put("condition", f.condition);
  w.put("candidate", f.candidate);
  w.put("metric", f.metric);
  w.put("outcome", f.outcome);
  w.put("why", f.why);
  return w.json;
}

void read(const Json& j, const std::string& path, FailOn& f) {
  const Reader r(j, path);
  r.get("condition", f.condition);
  r.get("candidate", f.candidate);
  r.get("metric", f.metric);
  r.get("outcome", f.outcome);
  r.get("why", f.why);
}

Json write(const TimelineSpan& t) {
  return {{"lane", t.lane}, {"name", t.name}, {"begin_ns", number(t.begin_ns)}, {"end_ns", number(t.end_ns)}};
}

void read(const Json& j, const std::string& path, TimelineSpan& t) {
  const Reader r(j, path);
  r.get("lane", t.lane);
  r.get("name", t.name);
  r.get("begin_ns", t.begin_ns);
  r.get("end_ns", t.end_ns);
}

}  // namespace

void write_study(const Record& record, Writer& w) {
  w.put("cases", write(record.cases));
  Json comparisons = Json::array(), fail_on = Json::array(), timeline = Json::array();
  for (const Comparison& c : record.comparisons) comparisons.push_back(write(c));
  w.put("comparisons", comparisons);
  for (const FailOn& f : record.fail_on) fail_on.push_back(write(f));
  w.put("fail_on", fail_on);
  w.put("launches", write(record.launches));
  for (const TimelineSpan& t : record.timeline) timeline.push_back(write(t));
  w.put("timeline", timeline);
  w.put("answer", write(record.answer));
}

void read_study(const Reader& r, Record& record) {
  r.each("cases", [&](const Json& x, const std::string& p) { read(x, p, record.cases.emplace_back()); });
  r.each("comparisons", [&](const Json& x, const std::string& p) { read(x, p, record.comparisons.emplace_back()); });
  r.each("fail_on", [&](const Json& x, const std::string& p) { read(x, p, record.fail_on.emplace_back()); });
  r.each("launches", [&](const Json& x, const std::string& p) { read(x, p, record.launches.emplace_back()); });
  r.each("timeline", [&](const Json& x, const std::string& p) { read(x, p, record.timeline.emplace_back()); });
  r.with("answer", [&](const Json& x, const std::string& p) { read(x, p, record.answer); });
}

}  // namespace strobe::record_json
