// SPDX-License-Identifier: Apache-2.0
#include "study/audit.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "host/file.h"
#include "measure/analysis.h"
#include "measure/waiting.h"
#include "record/foreign_times.h"
#include "record/metric_names.h"
#include "study/new_record.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

// When each began, where the file does not say.
std::vector<double> one_after_the_other(const std::vector<double>& ns) {
  std::vector<double> at;
  double begin = 0;
  for (const double t : ns) {
    at.push_back(begin);
    begin += t * 1e-9;
  }
  return at;
}

SeriesData foreign_series(const std::vector<double>& ns, const ForeignTimes& all, double tick) {
  const bool stamped = all.at_seconds.size() == ns.size();
  return {
      .values = ns, .at_seconds = stamped ? all.at_seconds : one_after_the_other(all.ns), .round = {}, .tick = tick};
}

// Where most readings are no longer than a step of their clock, their median is the step's.
Metric describe_part(const ForeignPart& part, const ForeignTimes& all) {
  std::vector<double> sorted = part.ns;
  std::sort(sorted.begin(), sorted.end());
  if (sorted[sorted.size() / 2] <= part.tick_ns * 1.001) {
    Metric m;
    m.unknown = part.tick_ns > 0 ? fmt::format("it is no longer than the steps of the file's time stamps ({})",
                                               format_time(part.tick_ns))
                                 : "the file has zeros";
    return m;
  }
  return describe_foreign(foreign_series(part.ns, all, part.tick_ns));
}

Record judge_file(const AuditPlan& o) {
  const ForeignTimes times = parse_foreign_times(read_file(o.file), o.reading);
  const std::string name = std::filesystem::path(o.file).filename().string();
  return audit_times(times, name + (times.name.empty() ? "" : " · " + times.name), o.file);
}

// What is no record may hold times: then the option is missing.
Record read_record(const std::string& file) {
  const std::string text = read_file(file);
  try {
    return parse_record(text);
  } catch (const Error&) {
    if (!may_hold_times(text)) throw;
    throw Error(ErrorCode::bad_input, fmt::format("'{}' is not a strobe record", file), "it seems to hold times",
                fmt::format("Add --times: strobe audit --times {}", file));
  }
}

}  // namespace

Record audit_times(const ForeignTimes& times, const std::string& name, const std::string& path) {
  Record r = new_record(verb::audit);
  r.status = Status::fixed;
  r.device = {.kind = "unknown", .name = "unknown", .asynchronous = false, .facts = {}, .calibration = {}};
  r.model.path = path;
  r.model.name = name;
  r.model.runtime = times.tool;
  if (!times.note.empty()) r.model.facts["note"] = times.note;
  const Metric& m = r.metrics[metric::reading] = describe_foreign(foreign_series(times.ns, times, times.tick_ns));
  r.startup.warmup_requests = times.ns.size() - m.n;
  for (const ForeignPart& part : times.parts) r.metrics[part.metric] = describe_part(part, times);
  judge(r);
  return r;
}

DecimalSign decimal_sign(const std::string& word) {
  if (word.empty()) return DecimalSign::unknown;
  if (word == "point") return DecimalSign::point;
  if (word == "comma") return DecimalSign::comma;
  throw Error(ErrorCode::usage, "unknown --decimal '" + word.substr(0, 20) + "'", {}, "Take point or comma.");
}

Record audit(const AuditPlan& o) {
  report_waiting(o.progress, fmt::format("reading {}", o.file));
  if (o.times) return judge_file(o);
  Record r = read_record(o.file);
  judge(r);
  return r;
}

}  // namespace strobe
