// strobe compare A B
#include "study/compare.h"

#include <algorithm>
#include <set>
#include <span>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "cli/arguments.h"
#include "cli/points.h"
#include "cli/verb.h"
#include "host/file.h"
#include "host/interrupt.h"
#include "record/names.h"
#include "study/compare_records.h"

namespace strobe::cli {
namespace {

constexpr std::int64_t kMostRounds = 100'000, kMostLoads = 1'000;

struct CompareArguments {
  ModelArguments model;  // what all candidates share
  std::vector<std::string> candidates, vary;
  std::string rounds = "32", loads = "8", margin = "1%", fail_on, in_flight, cache = "hot";
  bool graph = false, copies = false, force = false, workers = false, noise_floor = false;
};

void declare(CLI::App& app, CompareArguments& a) {
  app.add_option("CANDIDATE", a.candidates,
                 "a model, a model with options in quotes ('a.onnx --threads 1'), or a stored record")
      ->required();
  app.add_option("--vary", a.vary, "a candidate for each value of an option: threads=1,2; graph=off,on; repeatable")
      ->type_name("OPTION=LIST")
      ->allow_extra_args(false);
  app.add_option("--rounds", a.rounds, "how often each candidate has its turn (default 32)")->type_name("N");
  app.add_option("--loads", a.loads, "how often the models are loaded anew in between (default 8)")->type_name("N");
  app.add_option("--margin", a.margin, "equivalent means: within this (default 1%)")->type_name("SHARE");
  app.add_option("--fail-on", a.fail_on, "exit 1 when the latency is surely more than this slower: slower=2%")
      ->type_name("slower=SHARE");
  app.add_flag("--noise-floor", a.noise_floor, "also the first candidate against itself; --fail-on does this, too");
  app.add_flag("--workers", a.workers, "each candidate in a process of its own");
  app.add_flag("--force", a.force, "compare stored records although their conditions differ");
  app.add_option("--in-flight", a.in_flight, "requests outstanding when throughput is measured (default 4)")
      ->type_name("N");
  app.add_option("--cache", a.cache, "hot, or cold: flush the device's cache before each request")->type_name("WORD");
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
      quote = quote ? 0 : c, open = true;
    } else if (c == ' ' && !quote) {
      if (open) words.push_back(std::exchange(word, {}));
      open = false;
    } else {
      word += c, open = true;
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
  measure.graph = all.graph, measure.copies = all.copies, measure.in_flight = all.in_flight, measure.cache = all.cache;
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
  o.words = model.words();
  const auto more = measure.words();
  o.words.insert(o.words.end(), more.begin(), more.end());
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
  // The same one twice is an A/A comparison.
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto same = std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](const CandidateOptions& c) { return c.name == all[i].name; });
    if (same > 0) all[i].name += fmt::format(" ({})", same + 1);
  }
  return all;
}

bool is_record(const std::string& candidate) {
  return candidate.ends_with(".json");
}

// What was measured cannot be measured otherwise.
void check_stored(const std::vector<const CLI::Option*>& options) {
  static const std::set<std::string> kUsed{"CANDIDATE", "--margin", "--fail-on", "--noise-floor", "--force"};
  for (const CLI::Option* o : options) {
    if (o->count() > 0 && !kUsed.contains(o->get_name()))
      throw Error(ErrorCode::usage, fmt::format("cannot use {} with stored records", o->get_name()),
                  "they have been measured");
  }
}

Record compare_stored(const CompareArguments& a) {
  if (a.candidates.size() < 2) throw Error(ErrorCode::usage, "there is nothing to compare with", "one record is named");
  std::vector<StoredRecord> records;
  for (const std::string& file : a.candidates) records.push_back({file, parse_record(read_file(file))});
  return compare_records(records, {parse_share(a.margin, "--margin"), a.force});
}

Record compare_live(const CompareArguments& a, const OutputArguments& output) {
  CompareOptions o;
  o.candidates = parse_candidates(a);
  for (CandidateOptions& c : o.candidates) c.run.open.options.log = output.log();
  o.rounds = static_cast<std::size_t>(parse_count(1, a.rounds, "--rounds", kMostRounds));
  o.loads = static_cast<std::size_t>(parse_count(1, a.loads, "--loads", kMostLoads));
  o.margin = parse_share(a.margin, "--margin");
  o.workers = a.workers;
  o.noise_floor = a.noise_floor || !a.fail_on.empty();
  o.progress = output.progress();
  o.stop = [] { return Interrupt::requested(); };
  return compare(o);
}

double parse_fail_on(const std::string& text) {
  const auto [word, share] = parse_assignment(text, "--fail-on");
  if (word != "slower")
    throw Error(ErrorCode::usage, fmt::format("unknown --fail-on '{}'", text.substr(0, 40)), {}, "Write slower=2%.");
  return parse_share(share, "--fail-on");
}

// Only a change that is both sure and large enough. A candidate of which nothing can be told must not pass.
void apply_fail_on(const CompareArguments& a, double limit, Record& r) {
  std::vector<std::string> compared, failed;
  for (const Comparison& c : r.comparisons) {
    if ((c.metric != "latency" && c.metric != "reading") || is_noise_floor(c)) continue;
    compared.push_back(c.b);
    if (c.ratio.low && *c.ratio.low > 1 + limit && c.outcome == "slower") failed.push_back(c.b);
  }
  for (const Case& c : std::span(r.cases).subspan(1)) {
    const bool judged = std::find(compared.begin(), compared.end(), c.name) != compared.end();
    if (!judged && c.name != noise_floor_name(r.cases.front().name))
      throw Error(ErrorCode::usage, "cannot use --fail-on here",
                  fmt::format("{} and {} have no latency or reading to compare", r.cases.front().name, c.name),
                  "Take records of 'strobe run' or 'strobe audit --times'.");
  }
  r.answer["fail_on"] = a.fail_on;
  r.answer["failed"] = !failed.empty();
  if (!failed.empty()) r.answer["failed_by"] = fmt::format("{}", fmt::join(failed, ", "));
}

}  // namespace

Work declare_compare(CLI::App& app) {
  auto a = std::make_shared<CompareArguments>();
  auto output = std::make_shared<OutputArguments>();
  declare(app, *a);
  const CLI::App& declared = app;
  const std::vector<const CLI::Option*> own = declared.get_options();
  output->declare(app, "a comparison is more than one result; --vary makes a candidate of each value");
  const auto record = [=] {
    const double limit = a->fail_on.empty() ? 0 : parse_fail_on(a->fail_on);
    const auto stored = std::count_if(a->candidates.begin(), a->candidates.end(), is_record);
    if (stored > 0 && stored < static_cast<std::ptrdiff_t>(a->candidates.size()))
      throw Error(ErrorCode::usage, "cannot compare records with models", {}, "Name records only, or models only.");
    if (stored > 0) check_stored(own);
    Record r = stored > 0 ? compare_stored(*a) : compare_live(*a, *output);
    if (!a->fail_on.empty()) apply_fail_on(*a, limit, r);
    return r;
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
