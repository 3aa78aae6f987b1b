// SPDX-License-Identifier: Apache-2.0
#include "measure/method_rows.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <strobe/error.h>

#include "device/device.h"
#include "measure/calibration.h"
#include "measure/gate_safety.h"
#include "measure/idle.h"
#include "measure/measurement.h"
#include "measure/placement.h"
#include "measure/probe.h"
#include "measure/segment.h"
#include "measure/waiting.h"
#include "record/metric_names.h"

namespace strobe {
namespace {

constexpr std::size_t kRounds = 5;
constexpr nanoseconds kIdleRow = 1s;  // a row with pauses takes about that, unless they are long

constexpr const char* kNotReached = "the time was up before";

// The very first requests, timed in every way at once: two host readings, completion, two marks.
Samples cold_requests(Workload& workload, std::size_t n, Conductor& conductor, std::size_t& request) {
  Samples samples;
  if (n == 0) return samples;
  SegmentPlan plan;
  plan.settle_requests = 0;
  plan.least = plan.most = n;
  run_segment(workload, kSpanPass, plan, conductor, request, samples);
  return samples;
}

double cold_reading(const Sample& s, const Method& m) {
  if (m.clock == Method::Clock::device) return to_double(s.device);
  return to_double((m.wait == Method::Wait::none ? s.submitted : s.done) - s.begin);
}

double reading(const Sample& s, const Method& m) {
  return to_double(m.clock == Method::Clock::device ? s.device : s.done - s.begin) / s.requests;
}

// The same request again and again.
class SameInput final : public Workload {
 public:
  explicit SameInput(Workload& workload) : workload_(workload) {}
  void submit(std::size_t) override { workload_.submit(0); }
  Stream& stream() override { return workload_.stream(); }

 private:
  Workload& workload_;
};

class Rows {
 public:
  Rows(Workload& workload, const MethodPlan& plan, Remains<const MethodRows*>* remains)
      : workload_(workload),
        device_(workload.stream().device()),
        plan_(plan),
        conductor_(plan.conductor ? *plan.conductor : alone_),
        remains_(remains) {}

  MethodRows run() {
    result_.asynchronous = static_cast<bool>(device_.can().asynchronous);
    result_.tick = to_double(device_.tick());
    result_.around = std::make_shared<Surroundings>(device_);
    result_.block = std::max<std::size_t>(1, plan_.requests / kRounds);
    report_first_request(plan_.progress);
    cold_ = cold_requests(workload_, std::max<std::size_t>(1, plan_.warmup), conductor_, request_);
    result_.first_ns = to_double(cold_.front().done - cold_.front().begin);
    learn();
    result_.stopped = over();
    result_.rows = plan_.rows;
    for (MethodRow& row : result_.rows) refuse(row);
    result_.expected = expected_time();
    const Remains<const MethodRows*>::Offer offer(remains_, [this] { return give(); });
    try {
      take_turns();
    } catch (const Error& e) {
      // What was read before the device failed is worth having; nothing at all is just the error.
      if (e.code() != ErrorCode::device_lost || !result_.any_read()) throw;
      result_.failure = e.what();
    }
    finish();
    return std::move(result_);
  }

 private:
  static bool pauses(const MethodRow& row) { return row.method.idle.length > 0ns; }

  void take_turns() {
    const Placement place(plan_.pin, device_, *result_.around);
    result_.around->look();
    const nanoseconds begin = device_.clock().now();
    for (std::size_t round = 0; round < kRounds && !result_.stopped; ++round) {
      for (MethodRow& row : result_.rows) {
        if (!row.error.empty() || result_.stopped || pauses(row)) continue;
        report(fmt::format("round {} of {}, {}", round + 1, kRounds, row.name), device_.clock().now() - begin);
        take(row, round);
      }
      result_.around->beat();
      result_.around->look();
    }
    take_after_pauses(begin);
    if (!result_.around->outputs() || result_.stopped) return;
    OutputCheck outputs = *result_.around->outputs();
    held_.wait_for([&] { workload_.check_again(outputs); });
    result_.around->set_outputs(std::move(outputs));
  }

  // What has slept is another machine for a while: these rows must be nobody's neighbour.
  void take_after_pauses(nanoseconds begin) {
    if (std::none_of(result_.rows.begin(), result_.rows.end(), pauses)) return;
    result_.around->end_telemetry();
    for (MethodRow& row : result_.rows) {
      if (!row.error.empty() || result_.stopped || !pauses(row)) continue;
      report(row.name, device_.clock().now() - begin);
      take(row, 0);
    }
  }

  void finish() {
    for (MethodRow& row : result_.rows) {
      if (!row.method.warmup) put_cold_first(row);
    }
  }

  // For another thread, while ours waits for a request.
  const MethodRows* give() {
    return held_.take_for_good([this]() -> const MethodRows* {
      if (!result_.any_read()) return nullptr;
      result_.stopped = true;
      finish();
      return &result_;
    });
  }

  bool over() { return conductor_.stopped(); }

  void report(std::string phase, nanoseconds elapsed) const {
    if (!plan_.progress) return;
    Progress p;
    p.phase = std::move(phase);
    p.elapsed = elapsed;
    plan_.progress(p);
  }

  // Does it compute, and on its own stream? Is a gate safe, is there a graph, are there copies?
  void learn() {
    if (over()) {
      result_.gate_why_not = result_.graph_why_not = graph_gate_why_not_ = kNotReached;
      return;
    }
    Clock& clock = device_.clock();
    const nanoseconds begin = clock.now();
    workload_.submit(request_++);
    const nanoseconds submit = clock.now() - begin;
    workload_.stream().synchronize();
    slow_ = clock.now() - begin > kSlowRequest;
    patience_ = gate_patience(submit);
    result_.around->add_outputs(workload_.check());
    if (over()) {
      result_.gate_why_not = result_.graph_why_not = graph_gate_why_not_ = kNotReached;
      return;
    }
    if (result_.asynchronous) result_.around->look_for_escaped_work(workload_, request_, conductor_);
    result_.gate_why_not = prove_gate(workload_, submit, request_).why_not;
    Replay replay = workload_.replay();
    graph_ = std::move(replay.workload);
    result_.graph_why_not = graph_ ? "" : replay.why_not;
    graph_gate_why_not_ = graph_ ? prove_graph_gate(*graph_, submit, request_).why_not : replay.why_not;
    copies_ = workload_.copy_in(request_, workload_.stream(), HostMemory::pinned) > 0;
    copies_ = workload_.copy_out(request_, workload_.stream(), HostMemory::pinned) > 0 || copies_;
    workload_.stream().synchronize();
  }

  void refuse(MethodRow& row) const {
    const Method& m = row.method;
    try {
      check_method(m);
    } catch (const Error& e) {
      row.error = e.cause();
    }
    // A graph may be queued where the eager workload waits for itself, and the other way round.
    const bool graph = m.form == Method::Form::graph;
    const std::string& gate_why_not = graph ? graph_gate_why_not_ : result_.gate_why_not;
    if (m.queue == Method::Queue::gated && !gate_why_not.empty()) row.error = gate_why_not;
    if (m.spin_gate && !device_.can().spin_gate) row.error = device_.can().spin_gate.why_not;
    if (graph && !graph_) row.error = result_.graph_why_not;
    if (m.same_input && workload_.input_sets() < 2) row.error = "the workload has one input set only";
    if (m.cold && !device_.can().flush) row.error = device_.can().flush.why_not;
    if (m.copies && !copies_) row.error = "there is nothing to copy";
  }

  // This round's share of the row's requests, or all of them where there are pauses; one more before them is not
  // counted, as the row before still shows in it. After one that flushed the cache it shows in a request of each input
  // set.
  SegmentPlan segment_for(const Method& m, std::size_t round, bool flushed = false) const {
    const bool block = m.scope == Method::Scope::block;
    const std::size_t share = plan_.requests * (round + 1) / kRounds - plan_.requests * round / kRounds;
    SegmentPlan plan;
    plan.round = static_cast<std::uint32_t>(round);
    plan.settle_requests = m.queue == Method::Queue::full ? plan.in_flight : 1;
    if (flushed && !m.cold && !m.same_input)
      plan.settle_requests = std::max(plan.settle_requests, workload_.input_sets());
    plan.least = plan.most = block ? 1 : std::max<std::size_t>(share, m.queue == Method::Queue::full ? 2 : 0);
    plan.requests_per_sample = block ? static_cast<std::uint32_t>(std::max<std::size_t>(1, share)) : 1;
    plan.patience = patience_;
    if (m.idle.length > 0ns) plan.least = plan.most = idle_requests(m.idle, 0ns, kIdleRow, plan_.requests);
    return plan;
  }

  // As long as the quickest of the first requests.
  nanoseconds expected_time() const {
    nanoseconds request = nanoseconds::max();
    for (const Sample& s : cold_) request = std::min(request, s.done - s.begin);
    nanoseconds all{};
    for (const MethodRow& row : result_.rows) {
      if (!row.error.empty()) continue;
      const SegmentPlan plan = segment_for(row.method, 0);
      const auto requests = static_cast<std::int64_t>((plan.settle_requests + plan.most) * plan.requests_per_sample);
      const auto rounds = static_cast<std::int64_t>(pauses(row) ? 1 : kRounds);
      all += rounds * requests * (request + row.method.idle.length);
    }
    return all;
  }

  void take(MethodRow& row, std::size_t round) {
    const Method& m = row.method;
    Workload& workload = m.form == Method::Form::graph ? *graph_ : m.same_input ? same_ : workload_;
    SegmentPlan plan = segment_for(m, round, flushed_);
    flushed_ = m.cold || (flushed_ && m.same_input);
    const std::size_t before = row.readings.size();
    Samples samples;
    // A share of slow requests takes long: what it has so far must not be lost with the rest of it. Times of the device
    // are read at its end.
    const std::function<void()> keep = [&] {
      const auto lock = held_.take(24h);
      read(row, before, samples);
    };
    if (slow_ && m.clock == Method::Clock::host) plan.after_each = &keep;
    Counted counted;
    if (row.reference) result_.around->begin_segment();
    const SegmentResult r = held_.wait_for([&] {
      if (row.reference) device_.counters().begin(workload.stream());
      const SegmentResult result = run_segment(workload, {metric::reading, m}, plan, conductor_, request_, samples);
      if (row.reference) counted = device_.counters().end(workload.stream());
      return result;
    });
    if (row.reference) result_.around->end_segment(row.name);
    result_.around->add_counted(row.name, counted);
    result_.stopped = result_.stopped || r.stopped;
    read(row, before, samples, r.full);
    if (conductor_.decide(r.gate_tripped)) {
      row.error = "the workload waits for its own work behind the gate";
      row.readings.clear();
    }
  }

  // All of these samples, after the readings that were there before.
  static void read(MethodRow& row, std::size_t before, const Samples& samples, const FullWindow& full = {}) {
    row.readings.resize(before);
    if (row.method.queue == Method::Queue::full) return add_period(row, samples, full);
    for (const Sample& s : samples) {
      if (s.state == SampleState::kept) row.readings.push_back(reading(s, row.method));
    }
  }

  // With a full queue it is the distance of completions that counts, not the time each request spent in it.
  static void add_period(MethodRow& row, const Samples& samples, const FullWindow& full) {
    if (full.requests > 0) {
      row.readings.push_back(to_double(full.length) / static_cast<double>(full.requests));
      return;
    }
    const auto first =
        std::find_if(samples.begin(), samples.end(), [](const Sample& s) { return s.state == SampleState::kept; });
    const auto gaps = samples.end() - first - 1;
    if (gaps > 0) row.readings.push_back(to_double(samples.back().done - first->done) / static_cast<double>(gaps));
  }

  void put_cold_first(MethodRow& row) const {
    const std::size_t n = std::min({plan_.warmup, cold_.size(), row.readings.size()});
    for (std::size_t i = 0; i < n; ++i) row.readings[i] = cold_reading(cold_[i], row.method);
  }

  Workload& workload_;
  Device& device_;
  const MethodPlan& plan_;
  LocalConductor alone_;
  Conductor& conductor_;
  Remains<const MethodRows*>* remains_;
  std::size_t request_ = 0;
  Samples cold_;
  std::unique_ptr<Workload> graph_;
  SameInput same_{workload_};
  nanoseconds patience_{};
  bool slow_ = false;  // requests above 100 ms
  bool copies_ = false;
  bool flushed_ = false;  // since the last row that rotated over all inputs
  std::string graph_gate_why_not_;
  Held held_;  // the result changes only while it is held; once it is on offer, nothing waits for a request then
  MethodRows result_;
};

}  // namespace

MethodRows time_by_methods(Workload& workload, const MethodPlan& plan, Remains<const MethodRows*>* remains) {
  return Rows(workload, plan, remains).run();
}

}  // namespace strobe
