// SPDX-License-Identifier: Apache-2.0
// strobe compare A B
#include "study/compare/compare.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "cli/arguments.h"
#include "cli/choices.h"
#include "cli/points.h"
#include "cli/verb.h"
#include "host/file.h"
#include "host/interrupt.h"
#include "study/compare/compare_records.h"
#include "study/compare/fail_on.h"
#include "study/efforts.h"
#include "study/library/plans.h"
#include "workload/model_files.h"

namespace strobe::cli {
namespace {

std::vector<std::string> effort_words() {
  std::vector<std::string> words;
  for (const EffortRow& e : kEfforts) words.emplace_back(e.word);
  return words;
}

struct CompareArguments {
  ModelArguments model;  // what all candidates share
  std::vector<std::string> candidates, vary, fail_on, allow;
  std::string effort = "standard", rounds, loads, margin = "1%", in_flight, cache = "hot", max_time;
  bool graph = false, copies = false, force = false, workers = false, noise_floor = false;
};

void declare(CLI::App& app, CompareArguments& a) {
  app.add_option("CANDIDATE", a.candidates,
                 "a model, a model with options in quotes ('a.onnx --threads 1'), or a stored record")
      ->required();
  begin_group(app, "How to compare");
  app.add_option("--vary", a.vary, "a candidate for each value of an option: threads=1,2; graph=off,on; repeatable")
      ->type_name("OPTION=LIST")
      ->allow_extra_args(false);
  one_of(app,
         app.add_option("--effort", a.effort, "quick (16 rounds), standard (32) or sustained (128)")->type_name("WORD"),
         effort_words());
  app.add_option("--rounds", a.rounds, "how often each candidate has its turn (default by --effort)")->type_name("N");
  app.add_option("--loads", a.loads, "how often the models are reloaded in between (default by --effort)")
      ->type_name("N");
  app.add_option("--max-time", a.max_time, "end with the rounds so far once this is over")->type_name("TIME");
  app.add_option("--margin", a.margin, "equivalent means: within this (default 1%)")->type_name("SHARE");
  app.add_option("--fail-on", a.fail_on,
                 "exit 1 when a candidate is certainly worse by more than this, 3 when undecided: slower=2%, "
                 "p99=5%, throughput=2%, memory=10%; repeatable")
      ->type_name("WHAT=SHARE")
      ->allow_extra_args(false);
  app.add_flag("--noise-floor", a.noise_floor, "also the first candidate against itself; --fail-on does this, too");
  app.add_flag("--workers", a.workers, "each candidate in a separate process");
  app.add_option("--allow", a.allow, "stored records may differ in this setting: threads; repeatable")
      ->type_name("SETTING")
      ->allow_extra_args(false);
  app.add_flag("--force", a.force, "compare stored records although their conditions differ");
  begin_group(app, "What else to measure");
  app.add_option("--in-flight", a.in_flight, "requests outstanding when throughput is measured (default 4)")
      ->type_name("N");
  one_of(app,
         app.add_option("--cache", a.cache, "hot, or cold: flush the device's cache before each request")
             ->type_name("WORD"),
         {"hot", "cold"});
  app.add_flag("--graph", a.graph, "run as a captured graph");
  app.add_flag("--copies", a.copies, "also compare the copies of inputs and outputs");
  a.model.declare_options(app);
}

// Words of a quoted candidate: blanks separate, quotes keep together.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool open = false;
  for (const char c : text) {
    if (quote ? c == quote : (c == '\'' || c == '"')) {
      quote = quote ? 0 : c;
      open = true;
    } else if (c == ' ' && !quote) {
      if (open) words.push_back(std::exchange(word, {}));
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (quote)
    throw Error(ErrorCode::usage, fmt::format("cannot read the candidate '{}'", text), "a quote is not closed");
  if (open) words.push_back(word);
  return words;
}

CandidateOptions parse_candidate(const CompareArguments& all, const std::string& name,
                                 const std::vector<std::string>& words) {
  CLI::App app;
  ModelArguments model = all.model;
  MeasureArguments measure;
  measure.graph = all.graph;
  measure.copies = all.copies;
  measure.in_flight = all.in_flight;
  measure.cache = all.cache;
  model.declare(app);
  measure.declare_what(app);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& e) {
    throw Error(
        ErrorCode::usage, fmt::format("cannot read the candidate '{}'", name), e.what(),
        "A candidate is a model, or a model with options in quotes: 'a.onnx --threads 1'. All take equal turns: "
        "--rounds says how many.");
  }
  CandidateOptions o;
  o.name = name;
  o.run = {model.parse(), measure.parse()};
  return o;
}

std::vector<CandidateOptions> parse_candidates(const CompareArguments& a) {
  std::vector<CandidateOptions> all;
  for (const std::string& text : a.candidates) {
    for (const Point& p : points(a.vary, "--vary")) {
      std::vector<std::string> words = words_of(text);
      words.insert(words.end(), p.words.begin(), p.words.end());
      const std::string name = p.name.empty() ? text : a.candidates.size() == 1 ? p.name : text + " " + p.name;
      all.push_back(parse_candidate(a, name, words));
    }
  }
  return all;
}

bool is_record(const std::string& candidate) {
  return candidate.ends_with(".json");
}

// What was measured cannot be measured otherwise.
void check_stored(const std::vector<const CLI::Option*>& options) {
  static const std::set<std::string> kUsed{"CANDIDATE", "--margin", "--fail-on", "--noise-floor", "--force", "--allow"};
  for (const CLI::Option* o : options) {
    if (o->count() > 0 && !kUsed.contains(o->get_name()))
      throw Error(ErrorCode::usage, fmt::format("cannot use {} with stored records", o->get_name()),
                  "they have been measured");
  }
}

std::vector<FailCondition> parse_conditions(const CompareArguments& a) {
  std::vector<FailCondition> all;
  for (const std::string& text : a.fail_on) all.push_back(parse_fail_on(text));
  return all;
}

Record compare_stored(const CompareArguments& a, const OutputArguments& output) {
  if (a.candidates.size() < 2) throw Error(ErrorCode::usage, "there is nothing to compare with", "one record is named");
  output.check_inputs({a.candidates.begin(), a.candidates.end()});
  std::vector<StoredRecord> records;
  for (const std::string& file : a.candidates) records.push_back({file, parse_record(read_file(file))});
  return compare_records(records, {parse_share(a.margin, "--margin"), a.force, a.allow, parse_conditions(a)});
}

std::optional<std::size_t> count_of(const std::string& text, const char* option, std::size_t most) {
  if (text.empty()) return std::nullopt;
  return static_cast<std::size_t>(parse_count(1, text, option, static_cast<std::int64_t>(most)));
}

Record compare_live(const CompareArguments& a, const OutputArguments& output) {
  std::vector<CandidateOptions> candidates = parse_candidates(a);
  std::vector<std::filesystem::path> read;
  for (CandidateOptions& c : candidates) {
    c.run.open.log = output.log();
    for (std::filesystem::path& file : files_read(c.run.open)) read.push_back(std::move(file));
  }
  output.check_inputs(read);
  CompareOptions o;
  o.effort = effort_named(a.effort);
  o.rounds = count_of(a.rounds, "--rounds", kMostRounds);
  o.loads = count_of(a.loads, "--loads", kMostLoads);
  o.margin = parse_share(a.margin, "--margin");
  if (!a.max_time.empty()) o.max_time = parse_max_time(a.max_time);
  o.workers = a.workers;
  o.fail_on = a.fail_on;
  o.noise_floor = a.noise_floor;
  o.progress = output.progress();
  o.stop = [] { return Interrupt::requested(); };
  ComparePlan plan = plan_compare(std::move(candidates), o);
  plan.salvage = output.salvage;
  return compare(plan);
}

}  // namespace

Work declare_compare(CLI::App& app) {
  auto a = std::make_shared<CompareArguments>();
  auto output = std::make_shared<OutputArguments>();
  declare(app, *a);
  const CLI::App& declared = app;
  const std::vector<const CLI::Option*> own = declared.get_options();
  output->declare(app, study_info(verb::compare));
  const auto record = [=] {
    const auto stored = std::count_if(a->candidates.begin(), a->candidates.end(), is_record);
    if (stored > 0 && stored < static_cast<std::ptrdiff_t>(a->candidates.size()))
      throw Error(ErrorCode::usage, "cannot compare records with models", {}, "Name records only, or models only.");
    if (stored > 0)
      check_stored(own);
    else if (!a->allow.empty())
      throw Error(ErrorCode::usage, "cannot use --allow with models", "candidates may differ in any option");
    return stored > 0 ? compare_stored(*a, *output) : compare_live(*a, *output);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
