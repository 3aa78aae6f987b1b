// SPDX-License-Identifier: Apache-2.0
#include "study/search/throughput.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "measure/deadline.h"
#include "option/forms.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "report/words.h"
#include "study/clock_hold.h"
#include "study/new_record.h"
#include "study/options/tables.h"
#include "study/search/answer_launches.h"
#include "study/search/batch_search.h"
#include "study/search/largest_search.h"
#include "study/search/loads.h"
#include "study/search/trials.h"
#include "study/search/within_bound.h"
#include "study/time_advice.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

class Study {
 public:
  explicit Study(const ThroughputPlan& o)
      : conductor_(o.stop),
        deadline_(clock_, end_of(o.max_time, clock_), conductor_),
        o_(o),
        record_(new_record(verb::throughput)),
        trials_(o_, record_),
        limit_(trials_.host_limit) {
    o_.stop = [this] { return deadline_.stopped(); };
  }

  Record run();

 private:
  // The first trial tells what the model is; it may have a batch of its own.
  void open();
  std::optional<Case> first_trial(std::int64_t batch);
  Case first_that_runs();
  void search();
  bool is_a_wave(std::int64_t batch, std::size_t trials_left);
  void name_best();
  void other_points();
  void notice_fixed_batch();
  std::string left_open() const;
  void doubt_the_answer();
  std::string nothing_to_choose() const;
  void answer_the_question();
  void answer_so_far();
  TrialPoint point(std::int64_t batch) const {
    return {batch, loads_.streams.front(), loads_.in_flight.front(), o_.copies};
  }
  WithinBound within_bound() { return {o_, loads_, has_batch_, trials_, record_}; }
  void describe_settings();
  void describe_answer();
  void finish();
  void end_early(const Error&);

  SteadyClock clock_;
  LocalConductor conductor_;
  Deadline deadline_;
  ThroughputPlan o_;
  Record record_;
  Trials trials_;
  std::optional<std::uint64_t> limit_;  // bytes that batches have to fit into
  Loads loads_;
  bool has_batch_ = true;
};

// The model's first trial; nothing where it does not take such a batch at all.
std::optional<Case> Study::first_trial(std::int64_t batch) {
  try {
    trials_.smallest = batch;
    Case c = trials_.run(point(batch));
    trials_.opened = c.outcome == trial_word::fits;
    return c;
  } catch (const Error& e) {
    if (e.code() != ErrorCode::usage) throw;
    std::string& why = record_.answer.fixed_batch;
    if (why.empty()) why = e.cause().empty() ? e.what() : e.cause();
    return std::nullopt;
  }
}

// Packages that were compiled for any batch often begin with 2, some later; other models have one batch of their own,
// or none.
Case Study::first_that_runs() {
  std::vector<std::int64_t> batches = o_.batches.empty() ? std::vector<std::int64_t>{1, 2, 4, 8} : o_.batches;
  std::sort(batches.begin(), batches.end());
  std::optional<Case> first;
  for (const std::int64_t batch : batches) {
    const auto c = first_trial(batch);
    if (c && (!first || c->outcome == trial_word::fits)) first = c;
    if (trials_.opened || (first && o_.batches.empty())) break;
  }
  const std::int64_t smallest = trials_.smallest;
  const bool only_guessed =
      o_.batches.empty() && smallest > 1;  // a model of so many items, or of any number from there
  const bool one_alone =
      only_guessed && trials_.opened && trials_.run(point(2 * smallest)).outcome == trial_word::unsupported;
  const bool refused =
      first && first->outcome == trial_word::unsupported && o_.batches.empty();  // it may run with its own
  if (first && !one_alone && !refused) {
    record_.answer.fixed_batch.clear();
    return *first;
  }
  if (refused) record_.answer.fixed_batch = first->error;
  trials_.smallest = 1;
  has_batch_ = trials_.opened = false;
  trials_.forget();
  return trials_.run(point(0));
}

void Study::open() {
  loads_ = first_loads(o_);
  const Case first = first_that_runs();
  trials_.opened = true;
  if (first.outcome != trial_word::fits)
    throw Error(ErrorCode::failed, "cannot run a single request", first.error.empty() ? first.about : first.error);
  settle_loads(o_, point_of(first, o_.copies), record_.device.asynchronous, loads_);
  if (first.trial.memory_available) limit_ = first.trial.memory_available;  // a device with memory of its own
}

// A machine that changes its speed between two trials makes a step, too: it must be there twice.
bool Study::is_a_wave(std::int64_t batch, std::size_t trials_left) {
  if (trials_left == 0) return false;
  const Case beyond = trials_.run(point(batch + 1));
  const Case at = trials_left > 1 ? trials_.run(point(batch)) : trials_.tried(point(batch));
  if (!rate_of(at) || !rate_of(beyond) || *rate_of(beyond) >= kNearBest * *rate_of(at)) return false;
  const Estimate &high = searched(at)->estimate, &low = searched(beyond)->estimate;
  return high.low && low.high && *low.high < *high.low;
}

void Study::search() {
  const RateOf rate = [&](std::int64_t b) -> BatchRate {
    const Case c = trials_.tried(point(b));
    return {rate_of(c), is_limit(c)};
  };
  BatchSearch s = !has_batch_          ? judge_batches(rate, {0})
                  : o_.batches.empty() ? search_batch(rate, trials_.smallest)
                                       : judge_batches(rate, o_.batches);
  if (!s.best) return;
  notice_fixed_batch();
  const bool varies = record_.answer.fixed_batch.empty();
  const std::size_t before = record_.cases.size();
  if (s.wave && is_a_wave(*s.wave, s.edges_left)) record_.answer.wave = s.wave;
  record_.answer.batch_trials = static_cast<std::int64_t>(s.trials + record_.cases.size() - before);
  const auto cost = o_.by_energy() ? std::nullopt : fit_cost(s.rates);  // the line is one of times
  if (cost) {
    // A line that lies below a rate which was measured is no limit.
    const double limit = 1 / cost->seconds_per_item;
    if (limit >= s.rates.at(*s.fastest)) {
      record_.answer.most_items_per_second = limit;
      if (cost->fixed_seconds > 0) record_.answer.half_rate_batch = cost->fixed_seconds / cost->seconds_per_item;
    }
  }
  name_best();
  if (varies && !o_.no_largest && !o_.here && o_.batches.empty() && limit_)
    LargestSearch(o_, point(0), *limit_, trials_, record_).run(s);
  name_best();  // a soak has a rate, too
}

// The smallest within 5 % of the best rate, of all that has been tried as the search does.
void Study::name_best() {
  const std::vector<Case>& cases = record_.cases;
  std::vector<std::size_t> here = middle_trials(cases);
  std::erase_if(here, [&](std::size_t i) { return !trials_.is_at(cases[i], point(0)); });
  if (here.empty()) return;
  const auto slower = [&](std::size_t a, std::size_t b) { return *rate_of(cases[a]) < *rate_of(cases[b]); };
  const std::size_t fastest = *std::max_element(here.begin(), here.end(), slower);
  std::size_t best = fastest;
  for (const std::size_t i : here) {
    if (*rate_of(cases[i]) >= kNearBest * *rate_of(cases[fastest]) && batch_of(cases[i]) < batch_of(cases[best]))
      best = i;
  }
  if (record_.answer.fixed_batch.empty()) {
    record_.answer.best_batch = batch_of(cases[best]);
    record_.answer.fastest_batch = batch_of(cases[fastest]);
  }
  trials_.answer_with(best);
}

// One item runs, two are refused: its batch is written into the model.
void Study::notice_fixed_batch() {
  const Case *one = nullptr, *two = nullptr;
  bool others = false;
  for (const Case& c : record_.cases) {
    const auto batch = fact<std::int64_t>(c.settings, "batch");
    if (batch == 1 && c.outcome == trial_word::fits) one = &c;
    if (batch == 2 && c.outcome == trial_word::unsupported) two = &c;
    others = others || (batch != 1 && c.outcome == trial_word::fits);
  }
  if (!one || !two || others) return;
  record_.answer.fixed_batch = two->trial.cause.empty() ? two->error : two->trial.cause;
}

// Streams and requests in flight that were asked for, at the best batch.
void Study::other_points() {
  const auto best = record_.answer.best_batch.value_or(has_batch_ ? 1 : 0);
  for (const std::size_t streams : loads_.streams) {
    for (const std::size_t in_flight : loads_.in_flight) {
      const TrialPoint p{best, streams, in_flight, o_.copies};
      if (!trials_.known(p)) trials_.run(p);
    }
  }
  if (loads_.streams.size() == 1 && loads_.in_flight.size() == 1) return;
  const std::vector<Case>& cases = record_.cases;
  const std::vector<std::size_t> tried = middle_trials(cases);
  double most = 0;
  for (const std::size_t i : tried) most = std::max(most, *rate_of(cases[i]));
  // Of those as fast as that, the one with the fewest requests outstanding: each waits for fewer others.
  const auto outstanding = [&](const Case& c) {
    const TrialPoint p = point_of(c, o_.copies);
    return std::tuple(p.streams * p.in_flight, p.batch);
  };
  std::optional<std::size_t> fastest;
  for (const std::size_t i : tried) {
    if (*rate_of(cases[i]) < kNearBest * most) continue;
    if (!fastest || outstanding(cases[i]) < outstanding(cases[*fastest])) fastest = i;
  }
  if (!fastest) return;
  record_.answer.fastest = cases[*fastest].name;
  trials_.answer_with(*fastest);
}

// A trial that looks for a bound ends when that is decided; any other goes on until its rate is known. Empty: nothing
// is left open.
std::string Study::left_open() const {
  if (trials_.launches().size() > 1) return {};  // the result has its own word
  if (o_.bound()) return record_.answer.bound == bound_word::cannot_tell ? "the bound could not be decided" : "";
  const Metric* rate = record_.find(metric::throughput);
  if (!rate) return {};
  const auto width = rate->estimate.relative_half_width();
  if (!width) return "too few requests were made to know how certain the best rate is";
  if (*width <= o_.margin + 1e-4) return {};
  return fmt::format("the best rate is known to ±{} only; ±{} was requested", format_percent(*width),
                     format_percent(o_.margin));
}

// Every other batch was refused: there was nothing to choose from. Simulated and built-in work has no batch to look
// for.
std::string Study::nothing_to_choose() const {
  if (o_.bound() || record_.model.runtime == "strobe") return {};
  std::set<std::string> ran;
  bool refused = !record_.answer.fixed_batch.empty();
  for (const Case& c : record_.cases) {
    if (c.outcome == trial_word::fits) ran.insert(c.name);
    if (c.outcome == trial_word::unsupported) refused = true;
    if (c.outcome != trial_word::fits && c.outcome != trial_word::unsupported) return {};
  }
  if (!refused || ran.size() != 1) return {};
  const std::string& fixed = record_.answer.fixed_batch;
  const auto is_refused = [](const Case& c) { return c.outcome == trial_word::unsupported; };
  const auto other = std::find_if(record_.cases.begin(), record_.cases.end(), is_refused);
  return fmt::format("there was no batch to choose from, only '{}' ran: {}", *ran.begin(),
                     fixed.empty() ? other->error : fixed);
}

// What the user asked for: a bound that is not kept is a failure, and a question that stays open is no answer.
void Study::answer_the_question() {
  if (record_.status == Status::interrupted) return;
  std::string open = nothing_to_choose();
  const std::string& bound = record_.answer.bound;
  if (o_.bound() && bound == bound_word::not_met) record_.failed = true;
  if (o_.bound() && bound == bound_word::cannot_tell)
    open =
        fmt::format("cannot tell whether {} under load stays within {}: a proof takes at least {} requests of a point",
                    percentile_label(o_.bound()->percentile), format_time(o_.bound()->limit_ns),
                    fewest_to_prove(o_.bound()->percentile));
  record_.undecided = open;
}

void Study::doubt_the_answer() {
  const std::string open = left_open();
  if (open.empty() || record_.status == Status::interrupted || !record_.status_reason.empty()) return;
  record_.status = Status::not_converged;
  record_.status_reason = open;
}

// What was asked for, and what its effort means here.
void Study::describe_settings() {
  ThroughputOptions asked = o_;
  if (const auto bound = o_.bound()) asked.percentile = bound->percentile;
  describe_options(throughput_table(), asked, record_.settings);
  record_.settings["shortest_ns"] = o_.shortest_seconds * 1e9;
  record_.settings["longest_ns"] = o_.longest_seconds * 1e9;
  record_.settings["margin"] = o_.margin;
}

// How the point that is reported was loaded, and for how long.
void Study::describe_answer() {
  const Case* c = trials_.answer();
  if (!c) return;
  const TrialPoint p = point_of(*c, o_.copies);
  record_.answer.streams = static_cast<std::int64_t>(p.streams);
  record_.answer.in_flight = static_cast<std::int64_t>(p.in_flight);
  record_.window_ns = trials_.window_ns();
}

void Study::finish() {
  describe_settings();
  describe_answer();
  record_.answer.memory_limit_bytes = limit_;
  record_.duration_ns = to_double(trials_.elapsed());
  doubt_the_answer();
  answer_the_question();
  apply_detectors(record_);
  if (trials_.launches().size() > 1) answer_with_launches(trials_.launches(), o_.repeats_within, record_);
}

// What was tried before the search was broken off.
void Study::answer_so_far() {
  if (record_.find(metric::throughput)) return;
  o_.bound() ? within_bound().so_far() : name_best();
}

// What was tried before is worth having.
void Study::end_early(const Error& e) {
  const bool any = std::any_of(record_.cases.begin(), record_.cases.end(), [](const Case& c) { return rate_of(c); });
  const bool timed_out = e.code() == ErrorCode::interrupted && deadline_.up() && !deadline_.asked();
  if (!any && timed_out)
    throw Error(ErrorCode::failed, "cannot search in this time", "--max-time was up before the first trial had ended",
                give_at_least(trials_.elapsed() + to_nanoseconds(1e9 * o_.longest_seconds)));
  if (!any || e.code() == ErrorCode::changed) throw e;
  record_.status = timed_out ? Status::not_converged : Status::interrupted;
  if (timed_out) record_.status_reason = "--max-time was up before the search had ended";
  if (e.code() != ErrorCode::interrupted) record_.status_reason = e.what();
  answer_so_far();
}

Record Study::run() {
  try {
    open();
    if (o_.bound()) {
      within_bound().search();
      notice_fixed_batch();
    } else {
      search();
      other_points();
      if (trials_.answer()) trials_.launch();
    }
    record_.status = Status::fixed;
  } catch (const Error& e) {
    end_early(e);
  }
  finish();
  return std::move(record_);
}

}  // namespace

Record throughput(const ThroughputPlan& o) {
  const ClockHold hold(o.open);
  return Study(o).run();
}

}  // namespace strobe
