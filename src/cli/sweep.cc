// --sweep batch=1,8: any option, any verb that makes a record, one case for each value or combination of values.
#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "cli/verb.h"
#include "host/interrupt.h"

namespace strobe::cli {
namespace {

constexpr std::size_t kMostCases = 256;

struct Point {
  std::string name;                // "batch=1 threads=2"
  std::vector<std::string> words;  // "--batch", "1", "--threads", "2"
  Scalars settings;
};

std::vector<Point> points(const std::vector<std::string>& sweeps) {
  std::vector<Point> all{{}};
  for (const std::string& s : sweeps) {
    const auto [key, values] = parse_assignment(s, "--sweep");
    std::vector<Point> next;
    for (const Point& p : all) {
      for (const std::string_view v : split(values, ',')) {
        Point q = p;
        q.name += fmt::format("{}{}={}", q.name.empty() ? "" : " ", key, v);
        q.words.insert(q.words.end(), {"--" + key, std::string(v)});
        q.settings[key] = std::string(v);
        next.push_back(std::move(q));
      }
    }
    all = std::move(next);
    if (all.size() > kMostCases)
      throw Error(ErrorCode::usage, "cannot sweep so much", fmt::format("it would be more than {} cases", kMostCases));
  }
  return all;
}

// The words without --sweep and without the options that a sweep sets.
std::vector<std::string> without_sweeps(const std::vector<std::string>& words) {
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--sweep")
      ++i;
    else if (!words[i].starts_with("--sweep="))
      rest.push_back(words[i]);
  }
  return rest;
}

Case measure_point(const std::vector<std::string>& words, const Point& point, Record& whole) {
  Case c;
  c.name = point.name;
  c.settings = point.settings;
  std::vector<std::string> all = words;
  all.insert(all.end(), point.words.begin(), point.words.end());
  try {
    const auto parsed = declare_all();
    parse_into(*parsed, all);
    Record r = work_of(*parsed).record();
    if (whole.verb.empty() || whole.model.name.empty()) {
      const auto command = whole.command;
      whole = r;
      whole.metrics.clear(), whole.cases.clear(), whole.findings.clear();
      whole.command = command;
    }
    whole.verdict = std::max(whole.verdict, r.verdict);
    whole.duration_ns += r.duration_ns;
    if (r.status == Status::interrupted) whole.status = Status::interrupted;
    c.metrics = std::move(r.metrics);
    c.findings = std::move(r.findings);
    for (Finding f : c.findings) {
      f.message = fmt::format("({}) {}", point.name, f.message);
      whole.findings.push_back(std::move(f));
    }
  } catch (const CLI::ParseError& e) {
    throw Error(ErrorCode::usage, fmt::format("cannot sweep {}", point.name), e.what());
  } catch (const Error& e) {
    if (e.code() == ErrorCode::usage) throw;
    c.error = e.what();  // one point that cannot be measured does not end the others
  }
  return c;
}

}  // namespace

Record sweep(const std::vector<std::string>& words, const std::vector<std::string>& sweeps) {
  const std::vector<std::string> rest = without_sweeps(words);
  Record whole;
  std::vector<Case> cases;
  for (const Point& point : points(sweeps)) {
    cases.push_back(measure_point(rest, point, whole));
    if (whole.status == Status::interrupted) break;
  }
  if (std::all_of(cases.begin(), cases.end(), [](const Case& c) { return !c.error.empty(); }))
    throw Error(ErrorCode::failed, "no point of the sweep could be measured", cases.front().error);
  whole.cases = std::move(cases);
  return whole;
}

}  // namespace strobe::cli
