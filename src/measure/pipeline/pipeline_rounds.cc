// SPDX-License-Identifier: Apache-2.0
#include "measure/pipeline/pipeline_rounds.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "measure/deadline.h"
#include "measure/waiting.h"
#include "stats/middle.h"

namespace strobe {
namespace {

constexpr nanoseconds kPipelineTurn = 20ms;               // long enough that a turn's median is worth comparing
constexpr nanoseconds kPipelineWarm = 500ms, kLong = 5s;  // of warm-up; iterations that are slow get fewer
constexpr double kShareOfRounds = 0.875;                  // of --max-time, on a device with a queue
constexpr std::size_t kWarmIterations = 10, kWarmSlow = 3;
constexpr std::size_t kMostIterations = 1000;  // of a turn: marks are read after it, and must all be kept until then
constexpr std::size_t kCycles = 4;             // of iterations in flight, at least, that count in a turn of theirs

class PipelineRun {
 public:
  PipelineRun(Pipeline& p, const PipelineRule& rule, Remains<const PipelineMeasurement*>* remains)
      : p_(p),
        rule_(rule),
        alone_(rule.stop),
        conductor_(rule.conductor ? *rule.conductor : alone_),
        remains_(remains),
        clock_(p.device->clock()),
        ways_(ways_on(*p.device)) {}

  PipelineMeasurement run() {
    m_.calibration = calibrate(*p_.device);
    m_.around = std::make_shared<Surroundings>(*p_.device);
    m_.begun = clock_.now();
    deadline_.emplace(clock_, end_of(rule_.max_time, clock_), conductor_);
    // Stages are timed by themselves after the rounds.
    const auto share = p_.asynchronous() ? kShareOfRounds : 1.0;
    if (rule_.max_time) rounds_time_ = to_nanoseconds(share * to_double(*rule_.max_time));
    rounds_deadline_.emplace(clock_, rule_.max_time ? m_.begun + rounds_time_ : nanoseconds::max(), conductor_);
    warm_up();
    if (deadline_->asked()) m_.status = Status::interrupted;
    const Remains<const PipelineMeasurement*>::Offer offer(remains_, [this] { return give(); });
    try {
      plan();
      take_rounds();
      if (m_.status != Status::interrupted && !stopped()) look_at_overlap();
      if (m_.status != Status::interrupted && !stopped()) time_stages();
    } catch (const Error& e) {
      m_.status = Status::interrupted;
      m_.reason = e.what();
    }
    m_.end = now();
    return std::move(m_);
  }

 private:
  nanoseconds now() const { return clock_.now() - m_.begun; }
  bool stopped() { return deadline_->stopped(); }

  void warm_up() {
    report_first_request(rule_.progress);
    PipelineTimer timer(p_, 1);
    // With --max-time a quarter of it, and no more than half where iterations are slow: the rest is for rounds.
    const nanoseconds most = rule_.max_time.value_or(nanoseconds::max());
    const nanoseconds floor = std::min<nanoseconds>(kPipelineWarm, most / 4);
    const auto more = [&] {
      const std::size_t n = latencies_.size();
      Goal goal{.until = floor, .deadline = most / 2, .needs_one = true};
      goal.least = now() > kLong ? kWarmSlow : kWarmIterations;
      return conductor_.more(goal, {n, n}, now());
    };
    first_iteration();
    report("warm-up");
    while (more() && !(stopped() && !latencies_.empty())) latencies_.push_back(timer.run_once());
    m_.warmup_iterations = 1 + latencies_.size();
    check_outputs();
    m_.warm = now();
  }

  // One stage after the other, so that what fails can be named.
  void first_iteration() {
    const nanoseconds begin = clock_.now();
    for (PipelineStage& s : p_.stages) {
      try {
        s.work->submit(0);
        p_.device->synchronize();
      } catch (const std::exception&) {
        PipelineTimer::rethrow_from(s);
      }
    }
    m_.first = clock_.now() - begin;
  }

  // Of every stage that can tell.
  void check_outputs() {
    for (PipelineStage& s : p_.stages) {
      auto seen = stopped() ? std::nullopt : s.work->check();
      if (seen && !seen->detail.empty()) seen->detail = fmt::format("stage '{}': {}", s.name, seen->detail);
      m_.around->add_outputs(seen);
    }
  }

  // How many iterations in a turn, and how many rounds.
  void plan() {
    const std::size_t half = latencies_.size() / 2;
    const std::vector<nanoseconds> later(latencies_.begin() + static_cast<std::ptrdiff_t>(half), latencies_.end());
    const nanoseconds typical = conductor_.agree(std::max(1ns, stats::middle_of(later)));
    rounds_ = std::max<std::size_t>(1, rule_.rounds);
    const auto fits = [&](nanoseconds t) {
      return std::clamp<std::size_t>(static_cast<std::size_t>(t / typical), 1, kMostIterations);
    };
    const auto share = [](std::size_t n, std::size_t parts) { return (n + parts - 1) / parts; };
    const nanoseconds left =
        rule_.max_time ? conductor_.agree(std::max(0ns, rounds_time_ - now())) : nanoseconds::max();
    const std::size_t turns = turns_of_round();
    const nanoseconds room = left / static_cast<std::int64_t>(turns * rounds_);
    m_.iterations_a_turn = fits(std::min(kPipelineTurn, room));
    if (rule_.iterations) {
      // A turn stays within reach of its anchors; more iterations than that are more rounds.
      m_.iterations_a_turn = std::clamp<std::size_t>(share(*rule_.iterations, 2 * rounds_), 1, fits(kAnchorReach));
      rounds_ = std::max(rounds_, share(*rule_.iterations, 2 * m_.iterations_a_turn));
    }
    round_time_ = typical * static_cast<std::int64_t>(turns * m_.iterations_a_turn);
  }

  void take_rounds() {
    PipelineTimer timer(p_, m_.iterations_a_turn);
    if (overlaps())
      overlap_.emplace(p_, rule_.in_flight, Overlap::iterations_for(overlap_iterations(), rule_.in_flight));
    for (std::uint32_t round = 0; round < rounds_ && m_.status != Status::interrupted; ++round) {
      // One iteration there must be, or there is nothing to say.
      if (round > 0 && rounds_deadline_->up()) return out_of_time();
      report(fmt::format("round {} of {}", round + 1, rounds_));
      m_.around->look();
      m_.around->beat();
      if (take_round(timer, round)) m_.rounds = round + 1;
    }
    m_.around->look();
    if (m_.status == Status::interrupted && !deadline_->asked()) out_of_time();
  }

  void out_of_time() {
    m_.status = Status::not_converged;
    m_.reason = fmt::format("{} of {} rounds were done", m_.rounds, rounds_);
    if (m_.rounds == 0) m_.reason += fmt::format("; one takes about {}", format_time(round_time_));
  }

  bool overlaps() const { return rule_.in_flight > 1; }
  std::size_t turns_of_round() const { return 2 * (ways_.size() + (overlaps() ? 2 : 0)); }
  std::size_t overlap_iterations() const { return std::max(m_.iterations_a_turn, kCycles * rule_.in_flight); }

  // Every way forwards, then backwards; each round begins with another one, so that none always follows the same.
  // Behind the ways come iterations that do not overlap, and those that do.
  bool take_round(PipelineTimer& timer, std::uint32_t round) {
    const auto turns = static_cast<std::uint32_t>(turns_of_round());
    overlap_turns_.clear();
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
      const std::size_t step = turn < turns / 2 ? turn : turns - 1 - turn, kind = (step + round) % (turns / 2);
      const bool complete =
          kind < ways_.size() ? take_turn(timer, ways_[kind], round, turn) : take_overlap(kind == ways_.size(), round);
      if (!complete) m_.status = Status::interrupted;
      if (m_.status == Status::interrupted) return false;
    }
    m_.overlap.insert(m_.overlap.end(), overlap_turns_.begin(), overlap_turns_.end());
    return true;
  }

  bool take_overlap(bool one_at_a_time, std::uint32_t round) {
    OverlapTurn& turn = overlap_turns_.emplace_back(OverlapTurn{.round = round, .one_at_a_time = one_at_a_time});
    const std::size_t depth = one_at_a_time ? 1 : rule_.in_flight;
    return held_.wait_for([&] { return overlap_->take(depth, overlap_iterations(), *rounds_deadline_, turn); });
  }

  void look_at_overlap() {
    if (!overlap_ || m_.overlap.empty() || stopped()) return;
    report(fmt::format("{} iterations in flight", rule_.in_flight));
    m_.view = held_.wait_for([&] { return overlap_->look(rule_.in_flight, overlap_iterations(), conductor_); });
  }

  bool take_turn(PipelineTimer& timer, PipelineWay way, std::uint32_t round, std::uint32_t turn) {
    fresh_ = {};
    const bool complete = held_.wait_for([&] { return timer.take(way, round, turn, *rounds_deadline_, fresh_); });
    m_.ways[static_cast<std::size_t>(way)].append(fresh_);
    return complete;
  }

  // For another thread, while ours waits for an iteration.
  const PipelineMeasurement* give() {
    return held_.take_for_good([this]() -> const PipelineMeasurement* {
      if (m_.way(PipelineWay::undisturbed).iterations.empty()) return nullptr;
      m_.status = Status::interrupted;
      m_.end = now();
      return &m_;
    });
  }

  void time_stages();

  void report(std::string phase) {
    if (!rule_.progress) return;
    Progress progress;
    progress.phase = std::move(phase);
    progress.elapsed = now();
    rule_.progress(progress);
  }

  Pipeline& p_;
  const PipelineRule& rule_;
  LocalConductor alone_;
  Conductor& conductor_;
  Remains<const PipelineMeasurement*>* remains_;
  Clock& clock_;
  const std::span<const PipelineWay> ways_;
  Held held_;  // m_ changes only while it is held; once it is on offer, nothing waits for an iteration then
  PipelineMeasurement m_;
  WayIterations fresh_;  // of the turn that is running
  std::optional<Overlap> overlap_;
  std::vector<OverlapTurn> overlap_turns_;  // of the round that is running
  std::optional<Deadline> deadline_, rounds_deadline_;
  nanoseconds rounds_time_ = nanoseconds::max();
  nanoseconds round_time_{};  // as expected
  std::vector<nanoseconds> latencies_;
  std::size_t rounds_ = 1, request_ = 0;
};

void PipelineRun::time_stages() {
  if (!p_.asynchronous()) return;
  // Where launches share the rounds they share this, too: six readings are the fewest that have an interval.
  const std::size_t least = std::clamp<std::size_t>(rounds_ / 2, 6, 15);
  const WayIterations& naive = m_.way(PipelineWay::naive);
  for (std::size_t i = 0; i < p_.stages.size() && !stopped(); ++i) {
    StageWork work;
    if (!p_.stages[i].host && !naive.iterations.empty()) {
      report(fmt::format("stage '{}' in isolation", p_.stages[i].name));
      std::vector<nanoseconds> submits;
      for (std::size_t n = 0; n < naive.iterations.size(); ++n)
        submits.push_back(naive.row(n, p_.stages.size())[i].reading);
      const nanoseconds submit = stats::middle_of(std::move(submits));
      work = held_.wait_for([&] { return stage_device_time(p_.stages[i], submit, least, conductor_, request_); });
    }
    m_.work.push_back(std::move(work));
  }
  for (std::size_t i = 0; i < m_.work.size() && !stopped(); ++i) explain_trip(p_.stages[i], m_.work[i], request_);
  if (deadline_->asked()) m_.status = Status::interrupted;
}

// Mean of the logarithms of both turns' medians, by round; nothing where a turn is missing.
std::vector<double> round_levels(const WayIterations& taken, std::uint32_t rounds) {
  std::vector<double> levels(rounds);
  for (std::size_t n = 0; n < taken.iterations.size();) {
    const Iteration& first = taken.iterations[n];
    std::vector<double> turn;
    for (; n < taken.iterations.size() && taken.iterations[n].round == first.round &&
           taken.iterations[n].turn == first.turn;
         ++n)
      turn.push_back(to_double(taken.iterations[n].latency()));
    if (first.round < rounds) levels[first.round] += std::log(stats::middle_of(std::move(turn))) / 2;
  }
  return levels;
}

}  // namespace

std::vector<double> log_ratios(const PipelineMeasurement& m, PipelineWay way) {
  const auto levels = round_levels(m.way(way), m.rounds),
             reference = round_levels(m.way(PipelineWay::undisturbed), m.rounds);
  std::vector<double> ratios;
  for (std::uint32_t k = 0; k < m.rounds; ++k) ratios.push_back(levels[k] - reference[k]);
  return ratios;
}

std::size_t slowest_lane(const PipelineMeasurement& m, bool one_at_a_time) {
  std::vector<nanoseconds> sums;
  for (const OverlapTurn& t : m.overlap) {
    if (t.one_at_a_time != one_at_a_time) continue;
    sums.resize(t.lengths.size());
    for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += t.lengths[lane];
  }
  return static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

std::vector<double> overlap_ratios(const PipelineMeasurement& m) {
  std::vector<double> ratios(m.rounds);
  const std::size_t alone = slowest_lane(m, true), together = slowest_lane(m, false);
  for (const OverlapTurn& t : m.overlap)
    ratios[t.round] += t.one_at_a_time ? -0.5 * std::log(t.period(alone)) : 0.5 * std::log(t.period(together));
  return m.overlap.empty() ? std::vector<double>{} : ratios;
}

PipelineMeasurement measure_pipeline(Pipeline& p, const PipelineRule& rule,
                                     Remains<const PipelineMeasurement*>* remains) {
  return PipelineRun(p, rule, remains).run();
}

}  // namespace strobe
