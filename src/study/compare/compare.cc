// SPDX-License-Identifier: Apache-2.0
#include "study/compare/compare.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/if_possible.h"
#include "host/salvage.h"
#include "measure/deadline.h"
#include "option/forms.h"
#include "record/names.h"
#include "stats/comparison.h"
#include "study/compare/compare_sides.h"
#include "study/new_record.h"
#include "study/options/tables.h"
#include "study/time_advice.h"
#include "workload/model_files.h"

namespace strobe {
namespace {

constexpr nanoseconds kLeastOfRound = 2s;  // of one side: 500 ms of warm-up, a turn of 17 requests up to 100 ms each
constexpr nanoseconds kSettleGap = 2ms;    // between two turns: threads of the side that waits have stopped spinning

void stop_spinning(CandidateOptions& c) {
  const auto s = runtime_traits(c.run.open).ends_spinning;
  if (s) c.run.open.set.emplace(s->key, s->value);
}

class Comparing {
 public:
  explicit Comparing(const ComparePlan& o)
      : o_(o), random_(o.seed), record_(new_record(verb::compare)), clock_(o.clock ? *o.clock : machine_clock_) {}

  Record run();

 private:
  void open();
  void take_turns();
  void load_all();
  void load(Side&);
  void round();
  void describe_sides();
  void ask_what_was_watched();
  void check_shared_files() const;
  std::optional<Record> give();
  Record finish();
  CompareOptions decided() const;
  bool stopped() { return stopped_ || deadline_.stopped(); }
  // Not enough rounds, but nobody interrupted.
  bool timed_out() { return rounds_done_ < o_.rounds && deadline_.up() && !deadline_.asked(); }
  [[noreturn]] void throw_no_round();
  void report(const char* phase, std::size_t done) const;

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
  std::size_t rounds_done_ = 0;
  std::size_t steps_ = 0;  // loads and turns that are complete
  bool in_workers_ = false, weigh_ = false, stopped_ = false;
};

void Comparing::open() {
  std::vector<CandidateOptions> all = o_.candidates;
  if (o_.noise_floor) {
    all.push_back(all.front());
    all.back().name = noise_floor_name(all.front().name);
  }
  weigh_ = asks_for_memory(o_.fail_on);
  in_workers_ = o_.workers || weigh_ || !can_share_a_process(all);
  const auto callable = std::find_if(all.begin(), all.end(), [](const CandidateOptions& c) { return !!c.callable; });
  if (in_workers_ && callable != all.end())
    throw Error(ErrorCode::usage, fmt::format("cannot compare '{}' in a separate process", callable->name),
                o_.workers ? "it is a callable, and workers were asked for"
                : weigh_   ? "it is a callable, and memory is measured in fresh processes"
                           : "it is a callable, and the models cannot share a process",
                "Compare callables with each other, or with models of one runtime and one device.");
  for (CandidateOptions& c : all) {
    if (!c.callable) stop_spinning(c);
    c.run.measure.stop = [this] { return stopped(); };
    sides_.push_back({c.name, in_workers_ ? worker_candidate(c) : local_candidate(c), {}, {}, {}, {}});
  }
  order_.resize(sides_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

void Comparing::load_all() {
  for (const std::size_t i : order_) {
    if (stopped()) return;
    report(fmt::format("loading {}", sides_[i].name).c_str(), rounds_done_);
    load(sides_[i]);
    if (!stopped()) ++steps_;
  }
}

void Comparing::load(Side& side) {
  try {
    const auto bytes = held_.wait_for([&]() -> std::optional<std::uint64_t> {
      if (weigh_) return side.candidate->load_and_weigh();
      side.candidate->load();
      return std::nullopt;
    });
    if (bytes) side.memory.push_back(static_cast<double>(*bytes));
    // Each of these processes loads for the first time, and has nothing to compare with.
    if (weigh_ && rounds_done_ > 0) check_unchanged(side.about.model);
  } catch (const Error& e) {
    if (e.code() == ErrorCode::usage || e.code() == ErrorCode::changed) throw;
    throw Error(e.code(), fmt::format("cannot compare '{}'", side.name), e.what());
  }
}

// A random order, then its rotations: after as many rounds as there are sides each has stood in each place. For two
// sides that is AB, BA or BA, AB.
void Comparing::round() {
  if (rounds_done_ % order_.size() == 0)
    std::shuffle(order_.begin(), order_.end(), random_);
  else
    std::rotate(order_.begin(), order_.begin() + 1, order_.end());
  for (const std::size_t i : order_) {
    Side& side = sides_[i];
    clock_.sleep(kSettleGap);
    const double at = to_seconds(clock_.now() - begin_);
    TurnReadings readings = held_.wait_for([&] { return side.candidate->turn(); });
    if (readings.empty()) {
      stopped_ = true;
      return;
    }
    ++steps_;
    side.turns.push_back(std::move(readings));
    side.at_seconds.push_back(at);
  }
  if (rounds_done_ == 0) describe_sides();
  ++rounds_done_;
}

void Comparing::describe_sides() {
  for (Side& side : sides_) side.about = held_.wait_for([&] { return side.candidate->describe(); });
  check_shared_files();
}

// A side that is lost has nothing to say.
void Comparing::ask_what_was_watched() {
  for (Side& side : sides_) {
    if_possible([&] {
      Watched w = held_.wait_for([&] { return side.candidate->watched(); });
      side.about.observations.disturbances = w.observations.disturbances;
      side.about.observations.clocks_per_pass = std::move(w.observations.clocks_per_pass);
      side.about.telemetry = std::move(w.telemetry);
    });
  }
}

// Sides that name one file were loaded one after the other: it must have been one model.
void Comparing::check_shared_files() const {
  for (const Side& a : sides_) {
    for (const Side& b : sides_) {
      if (a.about.model.path == b.about.model.path) check_same_files(a.about.model, b.about.model);
    }
  }
}

void Comparing::report(const char* phase, std::size_t done) const {
  if (!o_.progress) return;
  Progress p;
  p.phase = fmt::format("{}, round {} of {}", phase, done, o_.rounds);
  p.elapsed = clock_.now() - begin_;
  if (done > 0) p.at_most = p.elapsed * static_cast<std::int64_t>(o_.rounds) / static_cast<std::int64_t>(done);
  o_.progress(p);
}

void Comparing::take_turns() {
  const std::size_t per_load = (o_.rounds + o_.loads - 1) / o_.loads;
  while (rounds_done_ < o_.rounds && !stopped()) {
    if (rounds_done_ % per_load == 0) load_all();
    if (stopped()) break;
    round();
    report("comparing", rounds_done_);
  }
}

// The first round is a load and a turn of every side: what is missing takes as long as what there is. A load that was
// cut short takes twice as long as it did.
void Comparing::throw_no_round() {
  if (!timed_out()) throw Error(ErrorCode::interrupted, "interrupted before the first round was complete");
  const std::size_t all = 2 * sides_.size();
  const double elapsed = to_double(clock_.now() - begin_);
  const double step = steps_ > 0 ? elapsed / static_cast<double>(steps_) : 2 * elapsed;
  const nanoseconds least = kLeastOfRound * static_cast<std::int64_t>(sides_.size());
  const nanoseconds expected = to_nanoseconds(step * static_cast<double>(all));
  throw Error(ErrorCode::failed, "cannot compare in this time",
              fmt::format("--max-time was up after {} of the {} loads and turns of the first round", steps_, all),
              give_at_least(std::max(least, expected)));
}

// For another thread, while ours waits for a candidate.
std::optional<Record> Comparing::give() {
  return held_.take_for_good([this]() -> std::optional<Record> {
    if (rounds_done_ == 0) return std::nullopt;
    return finish();
  });
}

Record Comparing::run() {
  const Salvage::Offer offer(o_.salvage, [this] { return give(); });
  open();
  try {
    take_turns();
  } catch (const Error& e) {
    // A candidate that is lost does not take the rounds before with it; nor does one that was ended after a
    // signal. One that became another model does.
    const bool asked = stopped();
    if ((rounds_done_ == 0 && !asked) || e.code() == ErrorCode::changed) throw;
    if (!asked) record_.status_reason = e.what();
    stopped_ = true;
  }
  if (rounds_done_ == 0) throw_no_round();
  if (!deadline_.asked()) ask_what_was_watched();
  return finish();
}

// As was asked for, with what was left open decided.
CompareOptions Comparing::decided() const {
  CompareOptions d;
  d.rounds = o_.rounds;
  d.loads = o_.loads;
  d.margin = o_.margin;
  d.noise_floor = o_.noise_floor;
  d.workers = in_workers_;
  d.max_time = o_.max_time;
  return d;
}

Record Comparing::finish() {
  compare_sides(sides_, o_, record_);
  record_.rounds = rounds_done_;
  describe_options(compare_table(), decided(), record_.settings);
  record_.settings["settle_gap_ns"] = to_double(kSettleGap);
  record_.status = rounds_done_ < o_.rounds ? Status::interrupted : Status::fixed;
  if (timed_out() && record_.status_reason.empty()) {
    record_.status = Status::not_converged;
    record_.status_reason = fmt::format("{} of {} rounds were done", rounds_done_, o_.rounds);
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
  const std::size_t fewest = stats::fewest_rounds(std::max<std::size_t>(1, o.candidates.size() - 1));
  if (!o.fail_on.empty() && o.rounds < fewest)
    throw Error(ErrorCode::usage, fmt::format("cannot use --fail-on with --rounds {}", o.rounds),
                fmt::format("it takes {} rounds to be certain of a difference", fewest),
                fmt::format("Take --rounds {} or more, or leave it out.", fewest));
  return Comparing(o).run();
}

}  // namespace strobe
