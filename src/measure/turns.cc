// SPDX-License-Identifier: Apache-2.0
#include "measure/turns.h"

#include <algorithm>
#include <optional>
#include <span>

#include <strobe/error.h>

#include "device/device.h"
#include "measure/energy.h"
#include "measure/gate_safety.h"
#include "measure/passes.h"
#include "measure/segment.h"
#include "record/metric_names.h"
#include "stats/middle.h"

namespace strobe {
namespace {

// A launch has four turns. One is long enough that its median is worth comparing: 250 ms for all passes, of each at
// least 50 ms and 8 requests, after 5 ms and 2 requests that settle. Slow requests get fewer.
constexpr nanoseconds kTurn = 250ms, kLeastOfPass = 55ms, kSettle = 5ms;
constexpr std::size_t kLeast = 8, kLeastSlow = 3;
constexpr std::size_t kSettleRequests = 2;
constexpr nanoseconds kSoak = 300ms;
constexpr std::size_t kSoakRequests = 5, kSoakSlow = 1;

// Completions after the first, over the time they took; as the device saw them where it did.
std::optional<double> rate_of(std::span<const Sample> samples, const FullWindow& full, std::size_t items) {
  if (full.requests > 0 && full.length > 0ns)
    return static_cast<double>(full.requests * items) / to_seconds(full.length);
  const Sample *first = nullptr, *last = nullptr;
  std::size_t requests = 0;
  for (const Sample& s : samples) {
    if (s.state != SampleState::kept) continue;
    if (first) requests += s.requests;
    first = first ? first : &s;
    last = &s;
  }
  if (requests == 0 || last->done <= first->done) return std::nullopt;
  return static_cast<double>(requests * items) / to_seconds(last->done - first->done);
}

std::vector<double> kept_of(std::span<const Sample> samples, Column column) {
  std::vector<double> values;
  for (const Sample& s : samples) {
    if (s.state != SampleState::kept) continue;
    const nanoseconds t = column == Column::device ? s.device : s.done - s.begin;
    values.push_back(to_double(t) / s.requests);
  }
  return values;
}

}  // namespace

Turns::Turns(Workload& workload, const Options& options, std::shared_ptr<Surroundings> around, Conductor* conductor)
    : workload_(workload),
      options_(options),
      alone_(options.stop),
      conductor_(conductor ? *conductor : alone_),
      m_(begin_measurement(workload, std::move(around))) {
  m_.probe = probe(workload, SIZE_MAX, request_, conductor_);
  if (!conductor_.stopped() && worth_checking(workload, m_.probe.typical)) m_.around->add_outputs(workload.check());
  choose_passes(workload, options, {.conductor = conductor_}, m_, request_);
}

// After the loads of all sides, which leave caches and clocks cold.
void Turns::soak() {
  Clock& clock = workload_.stream().device().clock();
  const std::size_t before = request_;
  const Goal warm{.until = clock.now() + kSoak, .least = m_.probe.typical > kSlowRequest ? kSoakSlow : kSoakRequests};
  for (std::size_t done = 0; conductor_.more(warm, {done, done}, clock.now()) && !conductor_.stopped();
       done = request_ - before) {
    workload_.submit(request_++);
    workload_.stream().synchronize();
  }
}

TurnReadings Turns::take() {
  if (round_ == 0) {
    soak();
    workload_.counting();
  }
  TurnReadings readings;
  const nanoseconds length = std::max(kLeastOfPass, kTurn / std::max<std::int64_t>(1, std::ssize(m_.passes)));
  for (PassSamples& p : m_.passes) {
    SegmentPlan plan;
    plan.round = round_;
    plan.origin = m_.begun;
    plan.length = length;
    plan.settle = kSettle;
    plan.least = m_.probe.typical > kSlowRequest ? kLeastSlow : kLeast;
    plan.in_flight = std::max<std::size_t>(1, options_.in_flight);
    plan.settle_requests = p.pass.method.queue == Method::Queue::full ? std::max(kSettleRequests, plan.in_flight)
                           : m_.probe.typical > kSlowRequest          ? 1
                                                                      : kSettleRequests;
    plan.requests_per_sample = m_.probe.requests_per_sample;
    plan.typical = p.typical;
    plan.patience = gate_patience(m_.probe.submit);
    const std::size_t before = p.samples.size();
    m_.around->begin_segment(p.workload->stream());
    const SegmentResult r = run_segment(*p.workload, p.pass, plan, conductor_, request_, p.samples);
    m_.around->end_segment(p.pass.metric, p.workload->stream());
    if (r.stopped) return {};
    p.tripped = conductor_.decide(r.gate_tripped);
    if (!p.tripped) read(p, before, r.full, readings);
    p.samples.clear();  // what a turn says has been said; a day of turns must not fill the memory
  }
  drop_tripped(m_);
  if (options_.energy && round_ == 0 && !read_energy(readings)) return {};
  ++round_;
  return readings;
}

// Once a launch, because a window takes seconds. False: it was stopped.
bool Turns::read_energy(TurnReadings& readings) {
  const EnergyPlan plan{.length = {.windows = 1, .idle = 0ns},
                        .in_flight = std::max<std::size_t>(1, options_.in_flight),
                        .typical = m_.probe.typical};
  const EnergySamples s = measure_energy(workload_, plan, conductor_);
  if (s.stopped) return false;
  if (s.windows.empty()) throw Error(ErrorCode::unsupported, "cannot compare the energy of requests", s.why_not);
  const EnergyWindow& w = s.windows.front();
  if (w.requests > 0) readings[metric::energy].value = w.stretch.joules() / w.requests;
  return true;
}

void Turns::explain_trip() {
  if (m_.gate.voided > 0 && !conductor_.stopped()) count_request_kernels(workload_, m_, request_);
}

void Turns::read(const PassSamples& p, std::size_t from, const FullWindow& window, TurnReadings& readings) const {
  const std::span<const Sample> samples = std::span(p.samples).subspan(from);
  const bool full = p.pass.method.queue == Method::Queue::full, replay = p.pass.method.form == Method::Form::graph;
  if (const auto rate = rate_of(samples, window, m_.items); rate && (full || !m_.asynchronous))
    readings[replay ? metric::replay_throughput : metric::throughput].value = *rate;
  if (full) return;
  const Column column = p.pass.method.clock == Method::Clock::device ? Column::device : Column::latency;
  TurnReading reading{0, kept_of(samples, column)};
  if (reading.samples.empty()) return;
  reading.value = stats::middle_of(reading.samples);
  readings[std::string(p.pass.metric)] = std::move(reading);
}

}  // namespace strobe
