#include "record/foreign_times.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "base/parse.h"

namespace strobe {
namespace {

using ForeignJson = nlohmann::json;

constexpr const char* kReading = "cannot read the times";

[[noreturn]] void refuse(std::string cause, std::string advice = {}) {
  throw Error(ErrorCode::bad_input, kReading, std::move(cause), std::move(advice));
}

double scale_of(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
      {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"", 1e9}}};
  for (const auto& [name, ns] : kUnits) {
    if (name == unit) return ns;
  }
  throw Error(ErrorCode::usage, fmt::format("unknown --unit '{}'", unit.substr(0, 20)), {}, "Take ns, us, ms or s.");
}

// A number that fills the field, or nothing.
std::optional<double> number_in(std::string_view field) {
  double x = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), x);
  if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(x)) return std::nullopt;
  return x;
}

// Fields of a line, separated by commas, semicolons, tabs or blanks.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t end = std::min(line.find_first_of(",;\t ", at), line.size());
    if (end > at) fields.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return fields;
}

// One column: the times. Two: when each began, in seconds, and how long it took. A first line of words is a heading.
ForeignTimes from_columns(std::string_view text, double scale) {
  ForeignTimes t;
  t.tool = "times";
  std::size_t number = 0, columns = 0;
  for (const std::string_view raw : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(raw.substr(0, raw.find('#')));
    const auto fields = fields_of(line);
    if (fields.empty()) continue;  // a blank line, a comment, separators alone
    std::vector<double> values;
    for (const std::string_view f : fields) {
      if (const auto x = number_in(f)) values.push_back(*x);
    }
    if (values.size() != fields.size()) {
      if (t.ns.empty() && values.empty() && columns == 0) {
        columns = 1;  // the heading; a second one is none
        continue;
      }
      refuse(fmt::format("line {} is no number: '{}'", number, line.substr(0, 40)));
    }
    if (values.size() > 2 || (!t.ns.empty() && t.at_seconds.empty() != (values.size() == 1)))
      refuse(fmt::format("line {} has {} columns", number, values.size()),
             "Give one column of times, or two: when each began in seconds, and its time.");
    if (values.size() == 2) t.at_seconds.push_back(values[0]);
    if (values.back() < 0) refuse(fmt::format("line {} is a negative time", number));
    t.ns.push_back(values.back() * scale);
  }
  return t;
}

// One of several by name; an only one needs none.
const ForeignJson& choose(const std::vector<std::pair<std::string, const ForeignJson*>>& all, std::string_view wanted) {
  std::vector<std::string> names;
  for (const auto& [name, json] : all) {
    if (name == wanted || (wanted.empty() && all.size() == 1)) return *json;
    names.push_back(name);
  }
  if (names.size() > 12) names.resize(12), names.emplace_back("…");
  refuse(all.empty()      ? "there is no benchmark in it"
         : wanted.empty() ? "it holds several benchmarks"
                          : "it holds no such benchmark",
         all.empty() ? "" : fmt::format("Choose one with --name: {}.", fmt::join(names, ", ")));
}

// "benchmarks": one entry for each repetition, which is a mean over its iterations.
ForeignTimes from_google_benchmark(const ForeignJson& j, std::string_view wanted) {
  std::vector<std::string> names;
  ForeignTimes t;
  t.tool = "google-benchmark";
  t.note = "each reading is the mean of a repetition's iterations";
  for (const ForeignJson& b : j.at("benchmarks")) {
    if (b.value("run_type", "iteration") != "iteration" || b.contains("error_occurred")) continue;
    const std::string name = b.value("run_name", b.value("name", ""));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    if (!wanted.empty() ? name == wanted : names.size() == 1)
      t.name = name, t.ns.push_back(b.at("real_time").get<double>() * scale_of(b.value("time_unit", "ns")));
  }
  if (wanted.empty() && names.size() > 1)
    refuse("it holds several benchmarks", fmt::format("Choose one with --name: {}.", fmt::join(names, ", ")));
  if (t.ns.empty()) refuse("it holds no such benchmark", fmt::format("There are {}.", fmt::join(names, ", ")));
  return t;
}

// A state's summaries: only the mean of its samples is in the file.
ForeignTimes from_nvbench(const ForeignJson& j, std::string_view wanted) {
  std::vector<std::pair<std::string, const ForeignJson*>> states;
  for (const ForeignJson& b : j.at("benchmarks")) {
    for (const ForeignJson& s : b.at("states"))
      states.emplace_back(fmt::format("{} {}", b.value("name", ""), s.value("name", "")), &s);
  }
  ForeignTimes t;
  t.tool = "nvbench";
  const ForeignJson& state = choose(states, wanted);
  for (const auto& [name, json] : states) {
    if (json == &state) t.name = name;
  }
  t.note = "nvbench keeps the mean of its samples only (--jsonbin keeps them in a file of their own)";
  for (const ForeignJson& s : state.at("summaries")) {
    if (s.value("tag", "") != "nv/cold/time/gpu/mean") continue;
    for (const ForeignJson& d : s.at("data")) {
      if (d.value("name", "") != "value") continue;
      const ForeignJson& v = d.at("value");
      t.ns.push_back(1e9 * (v.is_string() ? number_in(v.get<std::string>()).value_or(0) : v.get<double>()));
    }
  }
  if (t.ns.empty()) refuse("the state has no GPU time");
  return t;
}

// An array of requests; times in milliseconds, under one of the names that its versions use.
ForeignTimes from_trtexec(const ForeignJson& j) {
  ForeignTimes t;
  t.tool = "trtexec";
  t.note = "latency as trtexec has it: copies included, requests queued ahead";
  for (const ForeignJson& q : j) {
    const char* key = q.contains("latencyMs") ? "latencyMs" : "endToEndMs";
    t.ns.push_back(q.at(key).get<double>() * 1e6);
    for (const char* start : {"startH2dMs", "startInMs", "startEnqMs"}) {
      if (!q.contains(start)) continue;
      t.at_seconds.push_back(q.at(start).get<double>() / 1e3);
      break;
    }
  }
  return t;
}

ForeignTimes from_list(const char* tool, const ForeignJson& list, std::string name) {
  ForeignTimes t;
  t.tool = tool;
  t.name = std::move(name);
  for (const ForeignJson& x : list) t.ns.push_back(x.get<double>() * 1e9);
  return t;
}

ForeignTimes from_json(const ForeignJson& j, std::string_view wanted) {
  if (j.is_array() && !j.empty() && j[0].is_object()) return from_trtexec(j);
  if (!j.is_object()) refuse("this JSON comes from no tool that strobe knows");
  std::vector<std::pair<std::string, const ForeignJson*>> all;
  if (j.contains("results")) {
    for (const ForeignJson& r : j.at("results")) all.emplace_back(r.value("command", ""), &r);
    const ForeignJson& r = choose(all, wanted);
    return from_list("hyperfine", r.at("times"), r.value("command", ""));
  }
  if (!j.contains("benchmarks") || !j.at("benchmarks").is_array() || j.at("benchmarks").empty())
    refuse("this JSON comes from no tool that strobe knows",
           "It reads google-benchmark, nvbench, trtexec, hyperfine and pytest-benchmark.");
  const ForeignJson& first = j.at("benchmarks")[0];
  if (first.contains("states")) return from_nvbench(j, wanted);
  if (first.contains("real_time") || first.contains("run_type")) return from_google_benchmark(j, wanted);
  for (const ForeignJson& b : j.at("benchmarks")) all.emplace_back(b.value("name", ""), &b);
  const ForeignJson& b = choose(all, wanted);
  if (!b.contains("stats") || !b.at("stats").contains("data"))
    refuse("it holds no single times", "Run pytest with --benchmark-save-data.");
  return from_list("pytest-benchmark", b.at("stats").at("data"), b.value("name", ""));
}

// Time stamps count from the first; ones that go back are none.
void settle_stamps(ForeignTimes& t) {
  if (t.at_seconds.size() != t.ns.size() || !std::is_sorted(t.at_seconds.begin(), t.at_seconds.end())) {
    t.at_seconds.clear();
    return;
  }
  const double first = t.at_seconds.front();
  for (double& x : t.at_seconds) x -= first;
}

}  // namespace

ForeignTimes parse_foreign_times(std::string_view text, std::string_view unit, std::string_view wanted) {
  const std::string_view body = trim(text);
  const double scale = scale_of(unit);
  ForeignTimes t;
  if (body.starts_with('{') || body.starts_with('[')) {
    try {
      t = from_json(ForeignJson::parse(body), wanted);
    } catch (const ForeignJson::exception&) {
      refuse("it is not whole JSON of a tool that strobe knows");
    }
  } else {
    t = from_columns(body, scale);
  }
  if (t.ns.empty()) refuse("there are no times in it");
  if (std::any_of(t.ns.begin(), t.ns.end(), [](double x) { return !std::isfinite(x) || x < 0; }))
    refuse("a time is negative or not finite");
  settle_stamps(t);
  return t;
}

}  // namespace strobe
