// SPDX-License-Identifier: Apache-2.0
// How a launch measures: after a soak under load, passes take turns in rounds, so that whatever the machine does
// meanwhile hits all of them alike, and in an order that rotates, so that none always follows the same other. The
// length is fixed beforehand: samples do not decide. Protocol: docs/design.md, section 3.
#include <algorithm>

#include "device/device.h"
#include "host/nvtx.h"
#include "host/salvage.h"
#include "measure/deadline.h"
#include "measure/gate_safety.h"
#include "measure/idle.h"
#include "measure/launch_length.h"
#include "measure/measurement.h"
#include "measure/passes.h"
#include "measure/placement.h"
#include "measure/segment.h"
#include "measure/soak_goal.h"
#include "measure/time_budget.h"
#include "measure/turn_order.h"
#include "measure/turn_plan.h"
#include "measure/waiting.h"
#include "record/metric_names.h"

namespace strobe {
namespace {

constexpr int kRoundsApart = 4;  // of passes that are no part of the rounds
constexpr std::size_t kTooFewRequestsHere = 20;

class Rounds {
 public:
  Rounds(Workload& workload, const Options& options, const Rounded& how, Conductor& conductor)
      : workload_(workload),
        options_(options),
        launch_(how.launch),
        pin_(how.pin),
        conductor_(conductor),
        remains_(how.remains),
        length_(launch_length(options)),
        device_(workload.stream().device()) {}

  Measurement run() {
    prepare();
    const Remains<const Measurement*>::Offer offer(remains_, [this] { return give(); });
    const auto allocated = workload_.device_allocations();
    const std::size_t before = request_;
    try {
      const Placement place(pin_, device_, *m_.around);
      if (!stopped_) soak();
      if (!stopped_) workload_.counting();
      if (!stopped_) options_.requests ? run_counted() : run_timed();
      m_.end = now();
      if (!stopped_) run_apart();
      drain();
      if (m_.asynchronous && !stopped_ && launch_ == 1) unite();
      m_.around->look();
      if (!stopped_) run_after_pauses();
      if (!stopped_) run_energy();
    } catch (const Error& e) {
      // What was measured before the device failed is still worth having; nothing at all is just the error.
      if (e.code() != ErrorCode::device_lost || kept_after(m_.passes.front().samples, 0ns) == 0) throw;
      m_.failure = e.what();
      m_.end = now();
      m_.around->look();
    }
    if (m_.around->outputs() && may_ask_more()) check_again();
    if (const auto now = workload_.device_allocations(); now && allocated && request_ > before)
      m_.allocations_per_request = static_cast<double>(*now - *allocated) / static_cast<double>(request_ - before);
    if (may_ask_more() && launch_ == 1) count_request_kernels(workload_, m_, request_);
    finish();
    return std::move(m_);
  }

 private:
  void prepare();
  void probe_and_warm();
  void drain();
  void unite();
  void check_again();
  const Measurement* give();
  void keep_slow(PassSamples&);
  SegmentResult segment(PassSamples&, const SegmentPlan&);
  void soak();
  void round();
  bool take_turn(PassSamples&);
  bool plan_counted(const PassSamples&, SegmentPlan&);
  void run_counted();
  void run_timed();
  void run_apart();
  void run_after_pauses();
  void run_energy();
  void finish();
  nanoseconds cut() const { return m_.cut.value_or(nanoseconds::max()); }
  void report(const char* phase);
  // --max-time holds for everything.
  bool may_ask_more() {
    return m_.failure.empty() && !stopped_ && conductor_.decide(budget_.affords_one_more(m_.probe.typical, now()));
  }
  bool out_of_time() { return deadline_->up(); }
  bool has_run(nanoseconds t) { return conductor_.reached(t, now()); }
  std::size_t counted() const;
  std::size_t kept(const PassSamples& p) {
    return static_cast<std::size_t>(conductor_.agree(static_cast<double>(kept_after(p.samples, cut()))));
  }
  nanoseconds now() const { return device_.clock().now() - m_.begun; }

  Workload& workload_;
  const Options& options_;
  const std::size_t launch_;
  const PinRule pin_;
  Conductor& conductor_;
  std::optional<Deadline> deadline_;  // of the rounds: the conductor, with --max-time
  Remains<const Measurement*>* remains_;
  const LaunchLength length_;
  const TimeBudget budget_{options_.max_time, length_.idle + length_.energy};
  Device& device_;
  Held held_;  // m_ changes only while it is held; once it is on offer, nothing waits for a request then
  Measurement m_;
  Samples fresh_, pending_;  // of the segment that is running; a copy for others, where its requests are slow
  PassSamples* pending_of_ = nullptr;
  const std::function<void()> keep_ = [this] { keep_slow(*pending_of_); };
  std::size_t request_ = 0;
  std::uint32_t round_ = 0;
  bool stopped_ = false;
};

void Rounds::probe_and_warm() {
  const nvtx::Range range(nvtx::name::kWarmUp);
  report_first_request(options_.progress);
  const std::size_t most = options_.warmup ? std::max<std::size_t>(1, *options_.warmup) : SIZE_MAX;
  m_.probe = probe(workload_, most, request_, *deadline_);
  if (options_.warmup) report("warm-up");
  while (options_.warmup && request_ < *options_.warmup && !deadline_->stopped()) workload_.submit(request_++);
  workload_.stream().synchronize();
  if (!options_.warmup) return;
  m_.cut = now();
  m_.requests_before_cut = request_;
}

void Rounds::prepare() {
  m_ = begin_measurement(workload_, nullptr, launch_);
  const nanoseconds rounds = budget_.rounds(m_.asynchronous);
  deadline_.emplace(device_.clock(), budget_.limited() ? m_.begun + rounds : nanoseconds::max(), conductor_);
  probe_and_warm();
  stopped_ = conductor_.stopped();
  const auto affordable = [this](std::size_t n) {
    return conductor_.decide(budget_.affords(n, m_.probe.typical, now()));
  };
  const TimeLeft left{*deadline_, affordable};
  if (launch_ == 1 && worth_checking(workload_, m_.probe.typical) &&
      left.allows(2 * std::min(workload_.input_sets(), kMostCheckedSets)))
    m_.around->add_outputs(workload_.check());
  choose_passes(workload_, options_, left, m_, request_);
  for (const IdlePause& p : options_.idle) m_.idle.push_back({.pause = p, .why_not = "the time was up before"});
  if (options_.energy) {
    m_.energy.emplace();
    m_.energy->why_not = "the time was up before";
  }
}

void Rounds::drain() {
  const Held::Away away(held_);
  workload_.stream().synchronize();
}

void Rounds::unite() {
  UnionTimes united;
  const nanoseconds about = conductor_.agree(budget_.union_turn_after(now()));
  {
    const Held::Away away(held_);
    united = union_times(workload_, m_.probe.typical, options_.cache == Cache::cold, request_, about);
  }
  m_.united = std::move(united);
}

void Rounds::check_again() {
  OutputCheck outputs = *m_.around->outputs();
  {
    const Held::Away away(held_);
    workload_.check_again(outputs);
  }
  m_.around->set_outputs(std::move(outputs));
}

// For another thread, while ours waits for a request: it finds the measurement as the last segment left it.
const Measurement* Rounds::give() {
  return held_.take_for_good([this]() -> const Measurement* {
    if (pending_of_) pending_of_->samples.insert(pending_of_->samples.end(), pending_.begin(), pending_.end());
    if (kept_after(m_.passes.front().samples, 0ns) == 0) return nullptr;
    stopped_ = true;
    m_.end = now();
    finish();
    return &m_;
  });
}

// A segment of slow requests takes long: what it has so far must not be lost with the rest of it. Times of the device
// are read at its end.
void Rounds::keep_slow(PassSamples& p) {
  if (p.pass.method.clock == Method::Clock::device) return;
  {
    const auto lock = held_.take(24h);
    pending_.assign(fresh_.begin(), fresh_.end());
  }
  report(m_.cut ? "measuring" : "warm-up");
}

// False: it has all that it needs.
bool Rounds::plan_counted(const PassSamples& p, SegmentPlan& plan) {
  if (!options_.requests || !m_.cut) return true;
  const std::size_t so_far = kept(p);
  if (so_far >= *options_.requests) return false;
  plan.most = *options_.requests - so_far;
  plan.least = std::min(plan.least, plan.most);
  return true;
}

// The waiting happens here: meanwhile another thread may have what there is.
SegmentResult Rounds::segment(PassSamples& p, const SegmentPlan& plan) {
  SegmentResult r;
  Counted counted;
  const nvtx::Range range(p.pass.metric);
  const nanoseconds begin = now();
  pending_of_ = &p;
  const bool counts = m_.cut.has_value();  // nobody asks where it warmed up
  if (counts) m_.around->begin_segment();
  {
    const Held::Away away(held_);
    device_.counters().begin(p.workload->stream());
    r = run_segment(*p.workload, p.pass, plan, conductor_, request_, fresh_);
    counted = device_.counters().end(p.workload->stream());
  }
  if (counts) m_.around->end_segment(p.pass.metric);
  p.samples.insert(p.samples.end(), fresh_.begin(), fresh_.end());
  fresh_.clear();
  pending_.clear();
  pending_of_ = nullptr;
  if (r.full.requests > 0) p.windows.push_back({begin, r.full});
  m_.around->add_counted(p.pass.metric, counted);
  return r;
}

// False: it was stopped.
bool Rounds::take_turn(PassSamples& p) {
  // Once the time is up one request more is made, and only where there is none yet.
  const bool needs_one = m_.cut && &p == &m_.passes.front() && kept(p) == 0;
  if (out_of_time() && !needs_one) return true;
  SegmentPlan plan = plan_turn({options_, length_, budget_}, m_, p);
  plan.round = round_;
  plan.needs_one = needs_one;
  if (m_.probe.typical > kSlowRequest) plan.after_each = &keep_;
  if (!m_.cut) plan.least = 1;  // a soak needs none
  if (!plan_counted(p, plan)) return true;
  const SegmentResult r = segment(p, plan);
  stopped_ = stopped_ || r.stopped;
  p.tripped = conductor_.decide(r.gate_tripped);
  return !stopped_;
}

// Under the load that warms most. Any request warms, those of the probe as well.
void Rounds::soak() {
  if (m_.cut) return;  // --warmup: decided by a count
  const nvtx::Range range(nvtx::name::kSoak);
  const SoakGoal goal(m_.probe, length_.soak, budget_, now());
  const auto full = std::find_if(m_.passes.begin(), m_.passes.end(), [](const PassSamples& p) {
    return p.pass.method.queue == Method::Queue::full && !p.pass.apart;
  });
  PassSamples& pass = full == m_.passes.end() ? m_.passes.front() : *full;
  while (!conductor_.decide(goal.reached(now(), request_))) {
    if (!take_turn(pass)) break;
    ++round_;
    report("warm-up");
  }
  m_.cut = now();
}

void Rounds::round() {
  m_.around->look();
  std::vector<PassSamples*> repeated;
  for (PassSamples& p : m_.passes) {
    if (!p.pass.apart) repeated.push_back(&p);
  }
  for (const std::size_t i : turn_order(repeated.size(), round_ + launch_ - 1)) {
    if (!take_turn(*repeated[i])) break;
  }
  m_.around->beat();
  drop_tripped(m_);
  ++round_;
  report("measuring");
}

void Rounds::run_counted() {
  const auto complete = [this] {
    return std::all_of(m_.passes.begin(), m_.passes.end(),
                       [&](const PassSamples& p) { return p.pass.apart || kept(p) >= *options_.requests; });
  };
  do {
    round();
  } while (!stopped_ && !out_of_time() && !complete());
  if (!stopped_ && !complete()) m_.status = Status::not_converged;
}

void Rounds::run_timed() {
  do {
    round();
  } while (!stopped_ && !out_of_time() && !has_run(cut() + length_.length));
  if (!stopped_ && out_of_time() && kept(m_.passes.front()) < kTooFewRequestsHere) m_.status = Status::not_converged;
}

// What only the first launch measures must not be part of what all repeat.
void Rounds::run_apart() {
  for (PassSamples& p : m_.passes) {
    const auto enough = [&](int turns) {
      return options_.requests ? kept(p) >= *options_.requests : turns >= kRoundsApart;
    };
    for (int i = 0; p.pass.apart && !enough(i) && !out_of_time(); ++i, ++round_) {
      if (!take_turn(p)) return;
    }
  }
}

// Last, and in another order in each launch: a machine that has slept is another one for a while.
void Rounds::run_after_pauses() {
  if (!options_.idle.empty()) m_.around->end_telemetry();
  IdlePlan plan{.cold = options_.cache == Cache::cold, .origin = m_.begun, .seed = launch_};
  if (budget_.limited()) plan.deadline = m_.begun + budget_.whole();
  for (const std::size_t i : turn_order(options_.idle.size(), launch_ - 1)) {
    if (stopped_) return;
    report("after pauses");
    plan.pause = options_.idle[i];
    plan.requests = idle_requests(plan.pause, m_.probe.typical, length_.length, options_.requests);
    IdleSamples taken;
    {
      const Held::Away away(held_);
      taken = measure_idle(workload_, plan, conductor_, request_);
    }
    stopped_ = stopped_ || taken.stopped;
    m_.idle[i] = std::move(taken);
  }
}

// Last of all, because it takes longest; what is sampled beside the rounds is not sampled beside it.
void Rounds::run_energy() {
  if (!options_.energy) return;
  m_.around->end_telemetry();
  report("energy");
  EnergyPlan plan{.length = energy_length(options_, length_.launches),
                  .in_flight = std::max<std::size_t>(1, options_.in_flight),
                  .typical = m_.probe.typical,
                  .seed = launch_};
  if (budget_.limited()) plan.deadline = m_.begun + budget_.whole();
  EnergySamples taken;
  {
    const Held::Away away(held_);
    taken = measure_energy(workload_, plan, conductor_);
  }
  stopped_ = stopped_ || taken.stopped;
  m_.energy = std::move(taken);
}

void Rounds::finish() {
  if (!m_.cut) m_.cut = now();
  if (stopped_ || !m_.failure.empty()) m_.status = Status::interrupted;
  if (options_.warmup) return;
  m_.requests_before_cut = m_.probe.requests;
  for (const PassSamples& p : m_.passes) {
    if (p.pass.work != Pass::Work::request) continue;
    for (const Sample& s : p.samples) m_.requests_before_cut += s.begin < *m_.cut ? s.requests : 0;
  }
}

// Requests that count so far, of the pass that has the fewest.
std::size_t Rounds::counted() const {
  std::size_t fewest = SIZE_MAX;
  for (const PassSamples& p : m_.passes) {
    if (p.pass.apart) continue;
    const std::size_t pending = &p == pending_of_ ? kept_after(pending_, cut()) : 0;
    fewest = std::min(fewest, kept_after(p.samples, cut()) + pending);
  }
  return fewest;
}

void Rounds::report(const char* phase) {
  if (!options_.progress) return;
  Progress p;
  p.phase = phase;
  p.elapsed = now();
  if (options_.requests && m_.cut) {
    p.done = std::min(counted(), *options_.requests);
    p.of = *options_.requests;
    p.what = "requests";
  }
  if (budget_.limited())
    p.at_most = budget_.whole();
  else if (!options_.requests)
    p.at_most = length_.soak + length_.length + length_.idle + length_.energy;
  options_.progress(p);
}

}  // namespace

Measurement measure_rounds(Workload& workload, const Options& options, const Rounded& how) {
  LocalConductor alone(options.stop);
  return Rounds(workload, options, how, how.conductor ? *how.conductor : alone).run();
}

}  // namespace strobe
