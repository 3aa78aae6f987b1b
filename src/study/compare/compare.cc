// SPDX-License-Identifier: Apache-2.0
#include "study/compare/compare.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <string_view>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/if_possible.h"
#include "host/salvage.h"
#include "measure/deadline.h"
#include "option/forms.h"
#include "record/metric_names.h"
#include "record/names.h"
#include "stats/comparison.h"
#include "study/clock_hold.h"
#include "study/compare/compare_sides.h"
#include "study/cpus_seen.h"
#include "study/new_record.h"
#include "study/options/tables.h"
#include "study/time_advice.h"
#include "workload/model_files.h"

namespace strobe {
namespace {

constexpr nanoseconds kLeastOfSide = 5s;  // a load, a soak, four turns of 10 requests up to 100 ms each
constexpr nanoseconds kSettleGap = 2ms;   // in one process, between two turns: threads of the other side stop spinning

void stop_spinning(CandidateOptions& c) {
  const auto s = runtime_traits(c.run.open).ends_spinning;
  if (s) c.run.open.set.emplace(s->key, s->value);
}

bool is_callable(const CandidateOptions& c) {
  return !!c.callable;
}

bool chooses_no_stream(const CandidateOptions& c) {
  return c.run.open.stream == OpenOptions().stream && c.any_stream;
}

// What a launch after the first one does not share is no setting of the side.
void keep_shared(const Scalars& now, Scalars& settings) {
  std::erase_if(settings, [&](const auto& setting) {
    const auto it = now.find(setting.first);
    return it == now.end() || it->second != setting.second;
  });
}

class Comparing {
 public:
  explicit Comparing(const ComparePlan& o)
      : o_(o), random_(o.seed), record_(new_record(verb::compare)), clock_(o.clock ? *o.clock : machine_clock_) {}

  Record run();

 private:
  void open();
  void check_callables(const std::vector<CandidateOptions>&) const;
  void take_pairs();
  void pair();
  void choose_order();
  void launch(Side&);
  void load(Side&);
  void take_turns();
  void take_turn(Side&);
  void describe(Side&);
  void watch(Side&);
  void check_shared_files() const;
  std::optional<Record> give();
  Record finish();
  CompareOptions decided() const;
  bool stopped() { return stopped_ || deadline_.stopped(); }
  // Not enough pairs, but nobody interrupted.
  bool timed_out() { return pairs_done_ < o_.pairs && deadline_.up() && !deadline_.asked(); }
  [[noreturn]] void throw_no_pair();
  void report(std::string_view phase) const;

  const ComparePlan& o_;
  std::mt19937_64 random_;
  Record record_;
  SteadyClock machine_clock_;
  Clock& clock_;
  nanoseconds begin_ = clock_.now();
  LocalConductor conductor_{o_.stop};
  Deadline deadline_{clock_, end_of(o_.max_time, clock_), conductor_};
  std::vector<Side> sides_;
  std::vector<std::size_t> order_;
  Held held_;  // nothing of this changes while a candidate is waited for
  std::size_t pairs_done_ = 0;
  std::size_t launches_ = 0;  // of all sides
  std::size_t steps_ = 0;     // loads and turns that are complete
  bool in_process_ = false, weigh_ = false, stopped_ = false;
};

void Comparing::check_callables(const std::vector<CandidateOptions>& all) const {
  const auto callable = std::find_if(all.begin(), all.end(), is_callable);
  if (callable == all.end() || (!weigh_ && can_share_a_process(all))) return;
  throw Error(ErrorCode::usage, fmt::format("cannot compare '{}' in a separate process", callable->name),
              weigh_ ? "it is a callable, and memory is measured in fresh processes"
                     : "it is a callable, and the models cannot share a process",
              "Compare callables with each other, or with models of one runtime and one device.");
}

// Unlike all others, whatever their names are.
std::string name_of_another(std::string name, const std::vector<CandidateOptions>& all) {
  const auto taken = [&](const CandidateOptions& c) { return c.name == name; };
  while (std::any_of(all.begin(), all.end(), taken)) name += " again";
  return name;
}

void Comparing::open() {
  std::vector<CandidateOptions> all = o_.candidates;
  if (o_.noise_floor) {
    all.push_back(all.front());
    all.back().name = name_of_another(all.front().name + " again", all);
  }
  weigh_ = asks_for_memory(o_.fail_on);
  check_callables(all);
  in_process_ = o_.in_process || std::any_of(all.begin(), all.end(), is_callable);
  const bool any_stream = std::all_of(all.begin(), all.end(), chooses_no_stream);
  for (CandidateOptions& c : all) {
    if (in_process_ && !c.callable) stop_spinning(c);
    if (any_stream) c.run.open.prefers_stream = name(StreamLevel::fast);
    c.run.measure.energy = o_.energy;
    c.run.measure.stop = [this] { return stopped(); };
    Side side;
    side.name = c.name;
    side.options = std::move(c);
    sides_.push_back(std::move(side));
  }
  order_.resize(sides_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

void Comparing::launch(Side& side) {
  report(fmt::format("loading {}", side.name));
  side.options.run.open.launch = launches_++;
  side.candidate = in_process_ ? local_candidate(side.options) : worker_candidate(side.options);
  side.launch = {};
  load(side);
  if (!stopped()) ++steps_;
}

void Comparing::load(Side& side) {
  try {
    side.launch.bytes = held_.wait_for([&]() -> std::optional<double> {
      if (weigh_) return static_cast<double>(side.candidate->load_and_weigh());
      side.candidate->load();
      return std::nullopt;
    });
  } catch (const Error& e) {
    if (e.code() == ErrorCode::usage || e.code() == ErrorCode::changed) throw;
    throw Error(e.code(), fmt::format("cannot compare '{}'", side.name), e.what());
  }
}

// At random, but of the first pair; the next one goes the other way round.
void Comparing::choose_order() {
  if (pairs_done_ % 2 == 1)
    std::reverse(order_.begin(), order_.end());
  else if (pairs_done_ > 0)
    std::shuffle(order_.begin(), order_.end(), random_);
}

void Comparing::take_turn(Side& side) {
  if (in_process_) clock_.sleep(kSettleGap);
  const double at = to_seconds(clock_.now() - begin_);
  TurnReadings readings = held_.wait_for([&] { return side.candidate->turn(); });
  stopped_ = stopped_ || readings.empty();
  if (stopped_) return;
  ++steps_;
  side.launch.turns.push_back(std::move(readings));
  side.launch.at_seconds.push_back(at);
}

// There and back: a steady drift hits all sides alike.
void Comparing::take_turns() {
  std::vector<std::size_t> way = order_;
  for (std::size_t turn = 0; turn < kTurnsOfPair; ++turn) {
    for (const std::size_t i : way) {
      take_turn(sides_[i]);
      if (stopped()) return;
    }
    std::reverse(way.begin(), way.end());
  }
}

void Comparing::pair() {
  choose_order();
  for (Side& side : sides_) side.candidate.reset();
  for (const std::size_t i : order_) {
    launch(sides_[i]);
    if (stopped()) return;
  }
  report("comparing");
  take_turns();
  if (stopped()) return;
  for (Side& side : sides_) {
    describe(side);
    watch(side);
  }
  if (pairs_done_ == 0) check_shared_files();
  for (Side& side : sides_) side.launches.push_back(std::move(side.launch));
  ++pairs_done_;
}

void Comparing::describe(Side& side) {
  Record now = held_.wait_for([&] { return side.candidate->describe(); });
  if (const Metric* peak = now.find(metric::memory); peak && !side.launch.bytes)
    side.launch.bytes = peak->estimate.value;
  if (pairs_done_ == 0) {
    side.about = std::move(now);
    return;
  }
  check_same_files(side.about.model, now.model);
  keep_shared(now.settings, side.about.settings);
}

void Comparing::watch(Side& side) {
  if_possible([&] {
    Watched w = held_.wait_for([&] { return side.candidate->watched(); });
    Observations& all = side.about.observations;
    if (pairs_done_ == 0) {
      all.disturbances.reset();
      all.cpus.reset();
    }
    if (w.observations.disturbances) add(*w.observations.disturbances, all.disturbances);
    if (w.observations.cpus) add(*w.observations.cpus, all.cpus);
    all.clocks_per_pass = std::move(w.observations.clocks_per_pass);
    side.about.telemetry = std::move(w.telemetry);
  });
}

// Sides that name one file were loaded one after the other: it must have been one model.
void Comparing::check_shared_files() const {
  for (const Side& a : sides_) {
    for (const Side& b : sides_) {
      if (a.about.model.path == b.about.model.path) check_same_files(a.about.model, b.about.model);
    }
  }
}

void Comparing::report(std::string_view phase) const {
  if (!o_.progress) return;
  Progress p;
  p.phase = fmt::format("{}, pair {} of {}", phase, pairs_done_ + 1, o_.pairs);
  p.elapsed = clock_.now() - begin_;
  if (pairs_done_ > 0)
    p.at_most = p.elapsed * static_cast<std::int64_t>(o_.pairs) / static_cast<std::int64_t>(pairs_done_);
  o_.progress(p);
}

void Comparing::take_pairs() {
  while (pairs_done_ < o_.pairs && !stopped()) pair();
}

// The first pair is a load and some turns of every side: what is missing takes as long as what there is. A load that
// was cut short takes twice as long as it did.
void Comparing::throw_no_pair() {
  if (!timed_out()) throw Error(ErrorCode::interrupted, "interrupted before the first pair was complete");
  const std::size_t all = (1 + kTurnsOfPair) * sides_.size();
  const double elapsed = to_double(clock_.now() - begin_);
  const double step = steps_ > 0 ? elapsed / static_cast<double>(steps_) : 2 * elapsed;
  const nanoseconds least = kLeastOfSide * static_cast<std::int64_t>(sides_.size());
  const nanoseconds expected = to_nanoseconds(step * static_cast<double>(all));
  throw Error(ErrorCode::failed, "cannot compare in this time",
              fmt::format("--max-time was up after {} of the {} loads and turns of the first pair", steps_, all),
              give_at_least(std::max(least, expected)));
}

// For another thread, while ours waits for a candidate.
std::optional<Record> Comparing::give() {
  return held_.take_for_good([this]() -> std::optional<Record> {
    if (pairs_done_ == 0) return std::nullopt;
    return finish();
  });
}

Record Comparing::run() {
  const Salvage::Offer offer(o_.salvage, [this] { return give(); });
  open();
  try {
    take_pairs();
  } catch (const Error& e) {
    // A candidate that is lost does not take the pairs before with it; nor does one that was ended after a
    // signal. One that became another model does.
    const bool asked = stopped();
    if ((pairs_done_ == 0 && !asked) || e.code() == ErrorCode::changed) throw;
    if (!asked) record_.status_reason = e.what();
    stopped_ = true;
  }
  if (pairs_done_ == 0) throw_no_pair();
  return finish();
}

// As was asked for, with what was left open decided.
CompareOptions Comparing::decided() const {
  CompareOptions d;
  d.pairs = o_.pairs;
  d.margin = o_.margin;
  d.noise_floor = o_.noise_floor;
  if (o_.energy) d.metric = metric::energy;
  d.max_time = o_.max_time;
  return d;
}

Record Comparing::finish() {
  compare_sides(sides_, o_, record_);
  record_.rounds = pairs_done_ * kTurnsOfPair;
  describe_options(compare_table(), decided(), record_.settings);
  record_.settings["workers"] = !in_process_;
  if (in_process_) record_.settings["settle_gap_ns"] = to_double(kSettleGap);
  record_.status = pairs_done_ < o_.pairs ? Status::interrupted : Status::fixed;
  if (timed_out() && record_.status_reason.empty()) {
    record_.status = Status::not_converged;
    record_.status_reason = fmt::format("{} of {} pairs were done", pairs_done_, o_.pairs);
  }
  record_.duration_ns = to_double(clock_.now() - begin_);
  return std::move(record_);
}

}  // namespace

bool can_share_a_process(const std::vector<CandidateOptions>& all) {
  const auto model = std::find_if(all.begin(), all.end(), [](const CandidateOptions& c) { return !c.callable; });
  if (model == all.end()) return true;
  const OpenOptions& first = model->run.open;
  return std::all_of(all.begin(), all.end(), [&](const CandidateOptions& c) {
    if (c.callable) return true;
    const OpenOptions& o = c.run.open;
    // A thread has one current GPU, and the CPUs near it.
    const bool one_setup = runtime_traits(o).one_setup_a_process;
    return runtime_of(o) == runtime_of(first) && o.device == first.device && o.pin == first.pin &&
           (!one_setup || (o.threads == first.threads && o.set == first.set));
  });
}

Record compare(const ComparePlan& o) {
  if (o.candidates.size() + o.noise_floor < 2)
    throw Error(ErrorCode::usage, "there is nothing to compare with", "one candidate is named",
                "Name two models, or vary an option: --vary threads=1,2.");
  if (!o.fail_on.empty() && o.pairs < stats::kFewestPairs)
    throw Error(ErrorCode::usage, fmt::format("cannot use --fail-on with --pairs {}", o.pairs),
                fmt::format("it takes {} pairs to be certain of a difference", stats::kFewestPairs),
                fmt::format("Take --pairs {} or more, or leave it out.", stats::kFewestPairs));
  std::vector<const Model*> models;
  for (const CandidateOptions& c : o.candidates) models.push_back(&c.run.open);
  const ClockHold hold(one_clock_of(models));
  return Comparing(o).run();
}

}  // namespace strobe
