// SPDX-License-Identifier: Apache-2.0
#include "record/foreign_times.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "base/parse.h"
#include "record/own_samples.h"
#include "record/time_columns.h"
#include "record/time_unit.h"
#include "record/trtexec_times.h"

namespace strobe {
namespace {

using ForeignJson = nlohmann::json;

constexpr const char* kReading = "cannot read the times";

[[noreturn]] void refuse(std::string cause, std::string advice = {}) {
  throw Error(ErrorCode::bad_input, kReading, std::move(cause), std::move(advice));
}

// A number that fills the field, or nothing.
std::optional<double> number_in(std::string_view field) {
  double x = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), x);
  if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(x)) return std::nullopt;
  return x;
}

// One of several by name; an only one needs none.
const ForeignJson& choose(const std::vector<std::pair<std::string, const ForeignJson*>>& all, std::string_view wanted) {
  std::vector<std::string> names;
  for (const auto& [name, json] : all) {
    if (name == wanted || (wanted.empty() && all.size() == 1)) return *json;
    names.push_back(name);
  }
  if (names.size() > 12) {
    names.resize(12);
    names.emplace_back("…");
  }
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
    if (!wanted.empty() ? name == wanted : names.size() == 1) {
      t.name = name;
      t.ns.push_back(b.at("real_time").get<double>() * unit_option(b.value("time_unit", "ns")));
    }
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
  t.note = "nvbench keeps the mean of its samples only (--jsonbin keeps them in a separate file)";
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

ForeignTimes from_list(const char* tool, const ForeignJson& list, std::string name) {
  ForeignTimes t;
  t.tool = tool;
  t.name = std::move(name);
  for (const ForeignJson& x : list) t.ns.push_back(x.get<double>() * 1e9);
  return t;
}

ForeignTimes from_json(const ForeignJson& j, std::string_view wanted) {
  if (j.is_array() && !j.empty() && j[0].is_object()) return trtexec_times(j);
  if (!j.is_object()) refuse("this JSON comes from no tool that strobe knows");
  if (j.value("schema", "").starts_with("strobe/"))
    refuse("it is a record of strobe's", "Leave --times out: strobe audit FILE.");
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

bool are_times(const std::vector<double>& ns) {
  return std::all_of(ns.begin(), ns.end(), [](double x) { return std::isfinite(x) && x >= 0; });
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

double unit_option(std::string_view word) {
  if (word.empty()) return 1e9;
  if (const auto unit = time_unit(word)) return unit->ns;
  throw Error(ErrorCode::usage, fmt::format("unknown --unit '{}'", word.substr(0, 20)), {}, "Take ns, us, ms or s.");
}

std::string_view foreign_definition(std::string_view tool, std::string_view metric) {
  return tool == kTrtexec ? trtexec_definition(metric) : std::string_view{};
}

bool may_hold_times(std::string_view text) {
  const std::string_view body = trim(text);
  if (body.starts_with('{') || body.starts_with('[')) {
    const ForeignJson j = ForeignJson::parse(body, nullptr, false);
    return j.is_object() ? j.contains("benchmarks") || j.contains("results") : j.is_array() && !j.empty();
  }
  if (body.find('\0') != std::string_view::npos) return false;
  const CellTable table = read_cells(text, DecimalSign::point);
  return std::any_of(table.rows.begin(), table.rows.end(), [](const CellRow& row) {
    return std::any_of(row.cells.begin(), row.cells.end(),
                       [](const std::string& c) { return read_number(c, DecimalSign::unknown).has_value(); });
  });
}

ForeignTimes parse_foreign_times(std::string_view text, const ForeignTimesOptions& o) {
  const std::string_view body = trim(text);
  unit_option(o.unit);
  ForeignTimes t;
  if (body.starts_with('{') || body.starts_with('[')) {
    try {
      t = from_json(ForeignJson::parse(body), o.name);
    } catch (const ForeignJson::exception&) {
      refuse("it is not whole JSON of a tool that strobe knows");
    }
  } else {
    const CellTable table = read_cells(text, o.decimal);
    t = is_samples(table) && o.column.empty() ? times_of_samples(table, o.name) : times_in(table, o);
  }
  if (t.ns.empty()) refuse("there are no times in it");
  if (!are_times(t.ns) ||
      !std::all_of(t.parts.begin(), t.parts.end(), [](const ForeignPart& p) { return are_times(p.ns); }))
    refuse("a time is negative or not finite");
  settle_stamps(t);
  return t;
}

}  // namespace strobe
