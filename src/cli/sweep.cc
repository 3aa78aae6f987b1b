// SPDX-License-Identifier: Apache-2.0
// --sweep batch=1,8: any option of a verb whose result is one measurement, one case for each value or combination of
// values.
#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "cli/points.h"
#include "cli/verb.h"
#include "host/interrupt.h"
#include "host/salvage.h"
#include "report/words.h"
#include "workload/model_files.h"

namespace strobe::cli {
namespace {

bool given(const CLI::App& verb, const std::string& option) {
  const CLI::Option* o = verb.get_option_no_throw(option);
  return o && o->count() > 0;
}

// What a sweep would drop or write over without a word.
void check(const std::vector<std::string>& words, const std::vector<std::string>& sweeps) {
  const auto parsed = declare_all();
  parse_into(*parsed, words);
  const CLI::App& verb = *app_of(*parsed).get_subcommands().front();
  if (given(verb, "--samples"))
    throw Error(ErrorCode::usage, "cannot use --samples with --sweep", "each point would overwrite the others");
  for (const std::string& s : sweeps) {
    const std::string option = "--" + s.substr(0, s.find('='));
    if (option != "--sweep" && given(verb, option))
      throw Error(ErrorCode::usage, fmt::format("cannot use {} together with --sweep {}", option, s.substr(0, 40)),
                  "the sweep sets it", "Leave one of them out.");
  }
}

std::vector<std::string> without_sweeps(const std::vector<std::string>& words) {
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--sweep")
      ++i;  // its value follows
    else if (!words[i].starts_with("--sweep="))
      rest.push_back(words[i]);
  }
  return rest;
}

// A point that was cut short outweighs one that did not converge, which outweighs the others.
int weight(Status s) {
  return s == Status::interrupted ? 2 : s == Status::not_converged ? 1 : 0;
}

// What points differ in is a fact of theirs, and not of the whole.
void keep_shared(const Record& r, Record& whole) {
  std::erase_if(whole.settings, [&](const auto& setting) {
    const auto it = r.settings.find(setting.first);
    return it == r.settings.end() || it->second != setting.second;
  });
  if (whole.observations.input_sets != r.observations.input_sets) whole.observations.input_sets.reset();
  if (whole.observations.input_bytes != r.observations.input_bytes) whole.observations.input_bytes.reset();
}

// Takes over what the first point says about machine and model, and adds up the rest.
void merge(Record& whole, const Record& r, const Point& point) {
  const bool first = whole.verb.empty();
  if (!first && whole.model.path == r.model.path) check_same_files(whole.model, r.model);
  if (first) {
    whole = r;
    whole.metrics.clear();
    whole.cases.clear();
    whole.launches.clear();
    whole.findings.clear();
    whole.comparisons.clear();
    whole.timeline.clear();
    whole.idle.clear();
    whole.answer = {};  // of one point only, as all below
    whole.pipeline = {};
    whole.undecided.clear();
    whole.unwritten.clear();
    whole.duration_ns = 0;
  }
  keep_shared(r, whole);
  whole.verdict = std::max(whole.verdict, r.verdict);
  whole.duration_ns += r.duration_ns;
  if (first || weight(r.status) > weight(whole.status)) {
    whole.status = r.status;
    whole.status_reason = r.status_reason.empty() ? "" : fmt::format("({}) {}", point.name, r.status_reason);
  }
}

// The cases of one point: one, or as many as its verb makes.
std::vector<Case> cases_of(Record&& r, const Point& point) {
  const std::string inputs = r.settings.contains("input_sets") ? inputs_text(r) : "";
  if (r.cases.empty()) {
    Case c{point.name, point.settings, std::move(r.metrics), std::move(r.findings), {}, inputs, {}};
    c.idle = std::move(r.idle);
    return {std::move(c)};
  }
  for (Case& c : r.cases) {
    c.name = fmt::format("{}: {}", point.name, c.name);
    c.settings.insert(point.settings.begin(), point.settings.end());
  }
  return std::move(r.cases);
}

std::vector<Case> measure_point(const std::vector<std::string>& words, const Point& point, Watch* watch, Held& held,
                                Record& whole) {
  std::vector<std::string> all = words;
  all.insert(all.end(), point.words.begin(), point.words.end());
  try {
    const auto parsed = declare_all();
    parse_into(*parsed, all);
    work_of(*parsed).output->watch = watch;
    // Others may have what there is so far while a point is measured.
    Record r = held.wait_for([&] { return work_of(*parsed).record(); });
    merge(whole, r, point);
    for (Finding f : r.findings) {
      f.message = fmt::format("({}) {}", point.name, f.message);
      whole.findings.push_back(std::move(f));
    }
    return cases_of(std::move(r), point);
  } catch (const CLI::ParseError& e) {
    throw Error(ErrorCode::usage, fmt::format("cannot sweep {}", point.name), e.what());
  } catch (const Error& e) {
    if (e.code() == ErrorCode::usage || e.code() == ErrorCode::interrupted || e.code() == ErrorCode::changed) throw;
    // One point that cannot be measured does not end the others.
    return {{point.name, point.settings, {}, {}, e.what(), {}, {}}};
  }
}

Record with_cases(Record whole, std::vector<Case> cases) {
  whole.cases = std::move(cases);
  std::stable_sort(whole.findings.begin(), whole.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return whole;
}

// The points so far.
Record interrupted_sweep(Record whole, std::vector<Case> cases) {
  whole.status = Status::interrupted;
  whole.status_reason.clear();
  return with_cases(std::move(whole), std::move(cases));
}

}  // namespace

Record sweep(const std::vector<std::string>& words, const OutputArguments& output) {
  check(words, output.sweeps);
  const std::vector<std::string> rest = without_sweeps(words);
  Record whole;
  std::vector<Case> cases;
  Held held;
  const Salvage::Offer offer(output.salvage, [&] {
    return held.take_for_good([&]() -> std::optional<Record> {
      if (whole.verb.empty()) return std::nullopt;
      return interrupted_sweep(whole, cases);
    });
  });
  try {
    for (const Point& point : points(output.sweeps, "--sweep")) {
      if (Interrupt::requested()) throw Error(ErrorCode::interrupted, "interrupted before a point was complete");
      for (Case& c : measure_point(rest, point, output.watch, held, whole)) cases.push_back(std::move(c));
    }
  } catch (const Error& e) {
    if (e.code() != ErrorCode::interrupted || whole.verb.empty()) throw;
    return interrupted_sweep(std::move(whole), std::move(cases));
  }
  if (std::all_of(cases.begin(), cases.end(), [](const Case& c) { return !c.error.empty(); }))
    throw Error(ErrorCode::failed, "no point of the sweep could be measured", cases.front().error);
  return with_cases(std::move(whole), std::move(cases));
}

}  // namespace strobe::cli
