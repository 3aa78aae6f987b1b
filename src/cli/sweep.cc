// --sweep batch=1,8: any option, any verb that makes a record, one case for each value or combination of values.
#include <algorithm>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "cli/points.h"
#include "cli/verb.h"
#include "host/interrupt.h"

namespace strobe::cli {
namespace {

// The words without --sweep and without the options that a sweep sets.
std::vector<std::string> without_sweeps(const std::vector<std::string>& words, const std::vector<std::string>& sweeps) {
  std::set<std::string> dropped{"--sweep"};
  for (const std::string& s : sweeps) dropped.insert("--" + s.substr(0, s.find('=')));
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t eq = words[i].find('=');
    if (!dropped.contains(words[i].substr(0, eq)))
      rest.push_back(words[i]);
    else if (eq == std::string::npos)
      ++i;  // its value follows
  }
  return rest;
}

// Takes over what the first point says about machine and model, and adds up the rest.
void merge(Record& whole, const Record& r) {
  if (whole.verb.empty()) {
    whole = r;
    whole.metrics.clear(), whole.cases.clear(), whole.findings.clear();
    whole.comparisons.clear(), whole.timeline.clear(), whole.answer.clear();  // of one point only
    whole.duration_ns = 0;
  }
  whole.verdict = std::max(whole.verdict, r.verdict);
  whole.duration_ns += r.duration_ns;
  if (r.status == Status::interrupted || whole.status == Status::interrupted)
    whole.status = Status::interrupted;
  else if (r.status == Status::not_converged)
    whole.status = Status::not_converged;
}

// The cases of one point: one, or as many as its verb makes.
std::vector<Case> cases_of(Record&& r, const Point& point) {
  if (r.cases.empty()) return {{point.name, point.settings, std::move(r.metrics), std::move(r.findings), {}, {}, {}}};
  for (Case& c : r.cases) {
    c.name = fmt::format("{}: {}", point.name, c.name);
    c.settings.insert(point.settings.begin(), point.settings.end());
  }
  return std::move(r.cases);
}

std::vector<Case> measure_point(const std::vector<std::string>& words, const Point& point, Record& whole) {
  std::vector<std::string> all = words;
  all.insert(all.end(), point.words.begin(), point.words.end());
  try {
    const auto parsed = declare_all();
    parse_into(*parsed, all);
    Record r = work_of(*parsed).record();
    merge(whole, r);
    for (Finding f : r.findings) {
      f.message = fmt::format("({}) {}", point.name, f.message);
      whole.findings.push_back(std::move(f));
    }
    return cases_of(std::move(r), point);
  } catch (const CLI::ParseError& e) {
    throw Error(ErrorCode::usage, fmt::format("cannot sweep {}", point.name), e.what());
  } catch (const Error& e) {
    if (e.code() == ErrorCode::usage) throw;
    // One point that cannot be measured does not end the others.
    return {{point.name, point.settings, {}, {}, e.what(), {}, {}}};
  }
}

}  // namespace

Record sweep(const std::vector<std::string>& words, const std::vector<std::string>& sweeps) {
  const std::vector<std::string> rest = without_sweeps(words, sweeps);
  Record whole;
  std::vector<Case> cases;
  for (const Point& point : points(sweeps, "--sweep")) {
    for (Case& c : measure_point(rest, point, whole)) cases.push_back(std::move(c));
    if (whole.status == Status::interrupted) break;
  }
  if (std::all_of(cases.begin(), cases.end(), [](const Case& c) { return !c.error.empty(); }))
    throw Error(ErrorCode::failed, "no point of the sweep could be measured", cases.front().error);
  whole.cases = std::move(cases);
  std::stable_sort(whole.findings.begin(), whole.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return whole;
}

}  // namespace strobe::cli
