// SPDX-License-Identifier: Apache-2.0
// How a run measures: passes take turns in rounds, so that whatever the machine does meanwhile hits all of them alike;
// between rounds, at a few checkpoints, it is decided whether enough is known. Protocol: docs/design.md, section 3.
#include <algorithm>

#include "device/device.h"
#include "host/salvage.h"
#include "measure/deadline.h"
#include "measure/gate_safety.h"
#include "measure/measurement.h"
#include "measure/passes.h"
#include "measure/segment.h"
#include "measure/time_budget.h"
#include "measure/waiting.h"
#include "measure/warm_up_floor.h"
#include "record/metric_names.h"

namespace strobe {
namespace {

constexpr nanoseconds kSegment = 100ms;
constexpr nanoseconds kResume = 20ms;  // after a pause for analysis

class Rounds {
 public:
  Rounds(Workload& workload, const Options& options, Conductor& conductor, Remains<const Measurement*>* remains)
      : workload_(workload),
        options_(options),
        conductor_(conductor),
        remains_(remains),
        rule_(stop_rule(options)),
        device_(workload.stream().device()) {}

  Measurement run() {
    prepare();
    const Remains<const Measurement*>::Offer offer(remains_, [this] { return give(); });
    const auto allocated = allocations();
    const std::size_t before = request_;
    try {
      if (!stopped_) options_.requests ? run_fixed() : run_adaptive();
      drain();
      m_.end = now();
      if (m_.asynchronous && !stopped_) unite();
    } catch (const Error& e) {
      // What was measured before the device failed is still worth having; nothing at all is just the error.
      if (e.code() != ErrorCode::device_lost || kept_after(m_.passes.front().samples, 0ns) == 0) throw;
      m_.failure = e.what();
      m_.end = now();
    }
    m_.around->look();
    if (m_.around->outputs() && may_ask_more()) check_again();
    if (const auto now = allocations(); now && allocated && request_ > before)
      m_.allocations_per_request = static_cast<double>(*now - *allocated) / static_cast<double>(request_ - before);
    if (may_ask_more()) count_request_kernels(workload_, m_, request_);
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
  SegmentPlan plan_for(const PassSamples&) const;
  SegmentResult segment(PassSamples&, const SegmentPlan&);
  void round(bool resumed);
  bool plan_fixed(const PassSamples&, SegmentPlan&);
  void run_fixed();
  void run_adaptive();
  void finish();
  bool floor_reached() { return warm_ = warm_ || warm_until_ || conductor_.decide(floor_.reached(now(), request_)); }
  bool looks_warm() const { return warm_ || warm_until_ || floor_.reached(now(), request_); }  // to say so, no more
  nanoseconds floor_cut() const { return warm_until_ ? *warm_until_ : floor_.end(m_.passes.front().samples); }
  void find_cut();
  stats::StopDecision look(std::size_t earlier_passes);
  stats::StopDecision agreed(stats::StopDecision);
  void keep_busy();
  void report(const char* phase);
  // --max-time holds for everything.
  bool may_ask_more() {
    return m_.failure.empty() && !stopped_ && conductor_.decide(budget_.affords_one_more(m_.probe.typical, now()));
  }
  bool out_of_time() { return deadline_->up(); }
  bool has_run(nanoseconds t) { return conductor_.reached(t, now()); }
  std::size_t counted() const;
  std::size_t kept(const PassSamples& p) {
    return static_cast<std::size_t>(conductor_.agree(static_cast<double>(kept_after(p.samples, floor_cut()))));
  }
  nanoseconds now() const { return device_.clock().now() - m_.begun; }
  std::optional<std::uint64_t> allocations() const {
    const auto* session = dynamic_cast<const Session*>(&workload_);
    return session ? session->device_allocations() : std::nullopt;
  }

  Workload& workload_;
  const Options& options_;
  Conductor& conductor_;
  std::optional<Deadline> deadline_;  // of the rounds: the conductor, with --max-time
  Remains<const Measurement*>* remains_;
  const TimeBudget budget_{options_.max_time};
  WarmUpFloor floor_{{}, budget_};  // once there is a probe
  stats::StopRule rule_;
  Device& device_;
  Held held_;  // m_ changes only while it is held; once it is on offer, nothing waits for a request then
  Measurement m_;
  Samples fresh_, pending_;  // of the segment that is running; a copy for others, where its requests are slow
  PassSamples* pending_of_ = nullptr;
  const std::function<void()> keep_ = [this] { keep_slow(*pending_of_); };
  std::size_t request_ = 0;
  std::uint32_t round_ = 0;
  bool stopped_ = false;
  bool warm_ = false;                      // the floor was reached
  std::optional<nanoseconds> warm_until_;  // --warmup: decided by a count
};

void Rounds::probe_and_warm() {
  report_first_request(options_.progress);
  const std::size_t most = options_.warmup ? std::max<std::size_t>(1, *options_.warmup) : SIZE_MAX;
  m_.probe = probe(workload_, most, request_, *deadline_);
  if (options_.warmup) report("warm-up");
  while (options_.warmup && request_ < *options_.warmup && !deadline_->stopped()) workload_.submit(request_++);
  workload_.stream().synchronize();
  floor_ = WarmUpFloor(m_.probe, budget_);
  if (!options_.warmup) return;
  warm_until_ = now();
  m_.requests_before_cut = request_;
}

void Rounds::prepare() {
  m_ = begin_measurement(workload_);
  const nanoseconds rounds = budget_.rounds(m_.asynchronous);
  deadline_.emplace(device_.clock(), budget_.limited() ? m_.begun + rounds : nanoseconds::max(), conductor_);
  probe_and_warm();
  stopped_ = conductor_.stopped();
  const auto affordable = [this](std::size_t n) {
    return conductor_.decide(budget_.affords(n, m_.probe.typical, now()));
  };
  const TimeLeft left{*deadline_, affordable};
  if (left.allows(2 * workload_.input_sets())) m_.around->add_outputs(workload_.check());
  choose_passes(workload_, options_, left, m_, request_);
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
  report(looks_warm() ? "measuring" : "warm-up");
}

SegmentPlan Rounds::plan_for(const PassSamples& pass) const {
  SegmentPlan p;
  p.round = round_;
  p.origin = m_.begun;
  p.length = budget_.segment(kSegment, m_.passes.size());
  p.least = m_.probe.typical > kSlowRequest ? 5 : 10;
  // With one pass nothing is switched: only the first request after the pause between rounds differs.
  p.settle = m_.passes.size() > 1 ? p.length / 5 : 0ns;
  p.settle_requests = m_.passes.size() > 1 && m_.probe.typical <= kSlowRequest / 2 ? 2 : 1;
  if (pass.pass.method.queue == Method::Queue::full)
    p.settle_requests = std::max(p.settle_requests, options_.in_flight);
  p.requests_per_sample = m_.probe.requests_per_sample;
  p.in_flight = std::max<std::size_t>(1, options_.in_flight);
  p.typical = pass.typical;
  p.patience = gate_patience(m_.probe.submit);
  if (budget_.limited()) p.deadline = m_.begun + budget_.rounds(m_.asynchronous);
  // What is queued is waited for, too.
  if (budget_.limited() && pass.pass.method.queue == Method::Queue::full)
    p.deadline -= static_cast<std::int64_t>(options_.in_flight) * m_.probe.typical;
  if (m_.probe.typical > kSlowRequest) p.after_each = &keep_;
  return p;
}

// False: it has all that it needs.
bool Rounds::plan_fixed(const PassSamples& p, SegmentPlan& plan) {
  if (!options_.requests || !floor_reached()) return true;
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
  pending_of_ = &p;
  {
    const Held::Away away(held_);
    device_.counters().begin(p.workload->stream());
    r = run_segment(*p.workload, p.pass, plan, conductor_, request_, fresh_);
    counted = device_.counters().end(p.workload->stream());
  }
  p.samples.insert(p.samples.end(), fresh_.begin(), fresh_.end());
  fresh_.clear();
  pending_.clear();
  pending_of_ = nullptr;
  m_.around->add_counted(p.pass.metric, counted);
  return r;
}

void Rounds::round(bool resumed) {
  m_.around->look();
  for (PassSamples& p : m_.passes) {
    // Once the time is up one request more is made, and only where there is none yet.
    const bool needs_one = &p == &m_.passes.front() && kept(p) == 0;
    if (out_of_time() && !needs_one) continue;
    SegmentPlan plan = plan_for(p);
    plan.needs_one = needs_one;
    if (std::exchange(resumed, false)) {
      plan.resumed = true;
      plan.settle = std::max(plan.settle, kResume);
    }
    if (!plan_fixed(p, plan)) continue;
    const SegmentResult r = segment(p, plan);
    stopped_ = stopped_ || r.stopped;
    p.tripped = conductor_.decide(r.gate_tripped);
    if (stopped_) break;
  }
  m_.around->beat();
  drop_tripped(m_);
  ++round_;
}

void Rounds::run_fixed() {
  m_.status = Status::fixed;
  for (;;) {
    const bool floor_before = floor_reached();
    round(false);
    report("measuring");
    if (stopped_) return;
    const bool done = std::all_of(m_.passes.begin(), m_.passes.end(),
                                  [&](const PassSamples& p) { return kept(p) >= *options_.requests; });
    if (floor_before && done) return;
    if (out_of_time()) {
      m_.status = Status::not_converged;
      m_.reasons = {stats::Reason::too_few};
      return;
    }
  }
}

// One cut in wall time for all passes: the latest that any of them asks for.
void Rounds::find_cut() {
  m_.cut = floor_cut();
  m_.settling = stats::Settling::flat;
  if (options_.warmup || options_.requests) return;
  nanoseconds latest = m_.cut;
  for (const PassSamples& p : m_.passes) {
    const Column column = p.pass.method.clock == Method::Clock::device ? Column::device : Column::latency;
    const SeriesData series = series_of(p.samples, column, m_.cut, m_.tick_of(column));
    if (series.values.empty()) continue;
    const stats::Warmup w = stats::find_warmup(series.view());
    if (w.state == stats::Settling::not_settled || (w.sample > 0 && m_.settling == stats::Settling::flat))
      m_.settling = w.state;
    if (w.sample > 0 && w.sample < series.at_seconds.size())
      latest = std::max(latest, to_nanoseconds(series.at_seconds[w.sample] * 1e9));
  }
  m_.cut = latest;
}

stats::StopDecision Rounds::look(std::size_t earlier_passes) {
  find_cut();
  std::vector<stats::Look> looks;
  for (const PassSamples& p : m_.passes) {
    if (p.pass.metric != metric::latency && p.pass.metric != metric::device_time) continue;
    const Column column = p.pass.metric == metric::latency ? Column::latency : Column::device;
    const SeriesData series = series_of(p.samples, column, m_.cut, m_.tick_of(column));
    looks.push_back(
        stats::examine(series.view(), to_seconds(m_.probe.typical) / m_.probe.requests_per_sample, m_.settling, rule_));
  }
  // What --max-time leaves after the warm-up is all that can be asked for.
  stats::StopRule rule = rule_;
  if (budget_.limited())
    rule.shortest_seconds = std::min(rule.shortest_seconds, to_seconds(budget_.rounds(m_.asynchronous) - m_.cut));
  return agreed(stats::decide(looks, to_seconds(now() - m_.cut), rule, earlier_passes));
}

stats::StopDecision Rounds::agreed(stats::StopDecision d) {
  d.stop = conductor_.decide(d.stop);
  d.converged = conductor_.decide(d.converged);
  d.passes = static_cast<std::size_t>(conductor_.agree(static_cast<double>(d.passes)));
  return d;
}

// An asynchronous device works on while the host analyses: an idle one would lower its clocks.
void Rounds::keep_busy() {
  if (!m_.asynchronous) return;
  const auto wanted = m_.probe.typical > 0ns ? static_cast<std::size_t>(kResume / m_.probe.typical) + 1 : 1;
  for (std::size_t i = 0; i < std::min<std::size_t>(wanted, 64); ++i) workload_.submit(request_++);
}

void Rounds::run_adaptive() {
  std::vector<nanoseconds> at;
  for (const double s : stats::checkpoints(rule_.shortest_seconds, rule_.longest_seconds))
    at.push_back(to_nanoseconds(s * 1e9));
  std::size_t next = 0, passes = 0;
  bool resumed = false;
  for (;;) {
    round(std::exchange(resumed, false));
    report(looks_warm() ? "measuring" : "warm-up");
    if (stopped_) return;
    const bool late = out_of_time();
    if (!late && (!floor_reached() || !has_run(std::max(m_.cut, floor_cut()) + at[next]))) continue;
    if (!late) keep_busy();
    const stats::StopDecision d = look(passes);
    resumed = true;
    passes = d.passes;
    m_.half_width = d.half_width;
    m_.reasons = d.reasons;
    report("measuring");
    if (d.stop || late || next + 1 == at.size()) {
      m_.status = d.converged ? Status::converged : Status::not_converged;
      return;
    }
    // A later cut makes the retained window shorter again: look when it has grown to the next checkpoint.
    while (next + 1 < at.size() && has_run(m_.cut + at[next])) ++next;
    if (has_run(std::min(at.back(), nanoseconds::max() / 3) * 3 / 2)) {
      m_.status = Status::not_converged;
      return;
    }
  }
}

void Rounds::finish() {
  find_cut();
  if (stopped_ || !m_.failure.empty()) m_.status = Status::interrupted;
  if (options_.warmup) return;
  m_.requests_before_cut = m_.probe.requests;
  for (const PassSamples& p : m_.passes) {
    if (p.pass.work != Pass::Work::request) continue;
    for (const Sample& s : p.samples) m_.requests_before_cut += s.begin < m_.cut ? s.requests : 0;
  }
}

// Requests that count so far, of the pass that has the fewest.
std::size_t Rounds::counted() const {
  std::size_t fewest = SIZE_MAX;
  for (const PassSamples& p : m_.passes) {
    const std::size_t pending = &p == pending_of_ ? kept_after(pending_, floor_cut()) : 0;
    fewest = std::min(fewest, kept_after(p.samples, floor_cut()) + pending);
  }
  return fewest;
}

void Rounds::report(const char* phase) {
  if (!options_.progress) return;
  Progress p;
  p.phase = phase;
  p.elapsed = now();
  if (options_.requests && looks_warm()) {
    p.done = std::min(counted(), *options_.requests);
    p.of = *options_.requests;
    p.what = "requests";
  }
  if (budget_.limited())
    p.at_most = budget_.whole();
  else if (!options_.requests)
    p.at_most = to_nanoseconds(rule_.longest_seconds * 1e9) + kFloorTime;
  p.half_width = m_.half_width;
  p.target = rule_.margin;
  options_.progress(p);
}

}  // namespace

Measurement measure_rounds(Workload& workload, const Options& options, Remains<const Measurement*>* remains,
                           Conductor* conductor) {
  LocalConductor alone(options.stop);
  return Rounds(workload, options, conductor ? *conductor : alone, remains).run();
}

}  // namespace strobe
