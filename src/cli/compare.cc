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

#include "cli/declared.h"
#include "cli/points.h"
#include "cli/verb.h"
#include "host/file.h"
#include "host/interrupt.h"
#include "study/compare/compare_records.h"
#include "study/compare/fail_on.h"
#include "study/library/plans.h"
#include "study/options/tables.h"
#include "workload/model_files.h"
#include "workload/model_table.h"

namespace strobe::cli {
namespace {

// What all candidates share.
std::vector<Option<Model>> model_rows() {
  return rows_where(model_table(), [](const OptionTraits& t) { return !t.positional; });
}

std::vector<Option<Options>> shared_rows() {
  auto rows = rows_where(measure_table(), [](const OptionTraits& t) { return !t.of_all.empty(); });
  for (Option<Options>& o : rows) o.help = o.traits.of_all;
  return rows;
}

// What one may have of its own.
std::vector<Option<Options>> own_rows() {
  return rows_where(measure_table(), [](const OptionTraits& t) { return t.of_candidates; });
}

struct CompareArguments {
  Declared<Model> model{model_rows()};
  Declared<Options> measure{shared_rows()};
  Declared<CompareOptions> how{compare_table()};
  std::vector<std::string> candidates, vary, allow;
  bool force = false;
};

void declare(CLI::App& app, CompareArguments& a) {
  app.add_option("CANDIDATE", a.candidates,
                 "a model, a model with options in quotes ('a.onnx --threads 1'), or a stored record")
      ->required();
  begin_group(app, "How to compare");
  app.add_option("--vary", a.vary, "a candidate for each value of an option: threads=1,2; graph=off,on; repeatable")
      ->type_name("OPTION=LIST")
      ->allow_extra_args(false);
  a.how.declare(app);
  app.add_option("--allow", a.allow, "stored records may differ in this setting: threads; repeatable")
      ->type_name("SETTING")
      ->allow_extra_args(false);
  app.add_flag("--force", a.force, "compare stored records although their conditions differ");
  a.measure.declare(app);
  a.model.declare(app);
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
  Declared<Model> model(model_table());
  Declared<Options> measure(own_rows());
  model.begin_with(all.model);
  measure.begin_with(all.measure);
  model.declare(app);
  measure.declare(app);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& e) {
    throw Error(
        ErrorCode::usage, fmt::format("cannot read the candidate '{}'", name), e.what(),
        "A candidate is a model, or a model with options in quotes: 'a.onnx --threads 1'. All take equal turns: "
        "--pairs says how many.");
  }
  CandidateOptions o;
  o.name = name;
  o.run = plan_run(open_options(model.read()), measure.read());
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
  std::set<std::string> used{"CANDIDATE", "--force", "--allow"};
  for (const Option<CompareOptions>& o : compare_table()) {
    if (o.traits.of_stored) used.insert(o.typed_name());
  }
  for (const CLI::Option* o : options) {
    if (o->count() > 0 && !used.contains(o->get_name()))
      throw Error(ErrorCode::usage, fmt::format("cannot use {} with stored records", o->get_name()),
                  "they have been measured");
  }
}

std::vector<FailCondition> parse_conditions(const CompareOptions& o) {
  std::vector<FailCondition> all;
  for (const std::string& text : o.fail_on) all.push_back(parse_fail_on(text));
  return all;
}

Record compare_stored(const CompareArguments& a, const OutputArguments& output) {
  if (a.candidates.size() < 2) throw Error(ErrorCode::usage, "there is nothing to compare with", "one record is named");
  output.check_inputs({a.candidates.begin(), a.candidates.end()});
  std::vector<StoredRecord> records;
  for (const std::string& file : a.candidates) records.push_back({file, parse_record(read_file(file))});
  const CompareOptions o = a.how.read();
  return compare_stored(records, {o.margin, a.force, a.allow, parse_conditions(o)});
}

Record compare_live(const CompareArguments& a, const OutputArguments& output) {
  std::vector<CandidateOptions> candidates = parse_candidates(a);
  std::vector<std::filesystem::path> read;
  for (CandidateOptions& c : candidates) {
    c.run.open.log = output.log();
    for (std::filesystem::path& file : files_read(c.run.open)) read.push_back(std::move(file));
  }
  output.check_inputs(read);
  CompareOptions o = a.how.read();
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
