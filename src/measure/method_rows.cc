// SPDX-License-Identifier: Apache-2.0
#include "measure/method_rows.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <strobe/error.h>

#include "device/device.h"
#include "measure/calibration.h"
#include "measure/gate_safety.h"
#include "measure/idle.h"
#include "measure/measurement.h"
#include "measure/method_readings.h"
#include "measure/placement.h"
#include "measure/probe.h"
#include "measure/segment.h"
#include "measure/trip.h"
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

// The same request again and again.
class SameInput final : public Workload {
 public:
  explicit SameInput(Workload& workload) : workload_(workload) {}
  void submit(std::size_t) override { workload_.submit(0); }
  Stream& stream() override { return workload_.stream(); }
  std::size_t copy_in(std::size_t, Stream& on, HostMemory memory) override { return workload_.copy_in(0, on, memory); }
  std::size_t copy_out(std::size_t, Stream& on, HostMemory memory) override {
    return workload_.copy_out(0, on, memory);
  }

 private:
  Workload& workload_;
};

// Are there inputs or outputs to copy? Their transfer is made once, so that memory for it is there.
bool has_copies(Workload& workload, std::size_t request) {
  Stream& stream = workload.stream();
  const std::size_t in = workload.copy_in(request, stream, HostMemory::pinned),
                    out = workload.copy_out(request, stream, HostMemory::pinned);
  stream.synchronize();
  return in + out > 0;
}

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
    cold_ = cold_requests(workload_, plan_.script ? 1 : std::max<std::size_t>(1, plan_.warmup), conductor_, request_);
    result_.first_ns = to_double(cold_.front().done - cold_.front().begin);
    result_.rows = plan_.rows;
    if (plan_.script) run_script(result_.rows.front());
    learn();
    result_.stopped = over();
    for (MethodRow& row : result_.rows) refuse(row);
    result_.expected = expected_time();
    const Remains<const MethodRows*>::Offer offer(remains_, [this] { return give(); });
    try {
      take_turns();
      explain_trips();
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
        if (!row.error.empty() || result_.stopped || !takes_turns(row)) continue;
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

  // A full queue is told from work that waits for itself.
  void explain_trips() {
    if (trippers_.empty() || over()) return;
    std::optional<std::string> why;
    held_.wait_for([&] { why = explain_trip(workload_, 1, "a request", request_); });
    if (!why) return;
    for (MethodRow* row : trippers_) row->error = *why;
    if (gate_tripped_) result_.gate_why_not = *why;
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
      if (row.method.once && row.error.empty()) row.readings = {cold_reading(cold_.front(), row.method)};
      const auto block = segment_for(row.method, 0).requests_per_sample;
      if (!row.method.warmup && takes_turns(row)) put_cold_first(cold_, plan_.warmup, row.method, block, row.readings);
      if (takes_turns(row)) row.full_queue = usual_queue(filled_[&row], kRounds);
    }
  }

  bool is_script(const MethodRow& row) const { return plan_.script && &row == &result_.rows.front(); }
  bool takes_turns(const MethodRow& row) const { return !row.method.once && !is_script(row) && !pauses(row); }

  // Before anything is known of the workload, as the script does it.
  void run_script(MethodRow& row) {
    const Script& script = *plan_.script;
    refuse_script(row);
    if (!row.error.empty()) return;
    report(fmt::format("{}, before anything else", row.name), 0ns);
    const nanoseconds one = script.time > 0ns ? estimate(row.method) : 1ns;
    const auto fit = [&](nanoseconds time) { return static_cast<std::size_t>(time / std::max(one, 1ns)); };
    const std::size_t warmup = std::max(script.warmup, script.time > 0ns ? fit(script.warmup_time) : 0),
                      samples = std::max(script.samples, script.time > 0ns ? fit(script.time) : 0);
    for (std::size_t i = 1; i < warmup && !over(); ++i) workload_.submit(request_++);
    const bool first_counts = warmup == 0;
    if (first_counts) row.readings.push_back(cold_reading(cold_.front(), row.method));
    SegmentPlan plan;
    plan.settle_requests = row.method.queue == Method::Queue::full ? script.in_flight : 0;
    plan.least = plan.most = samples - (first_counts ? 1 : 0);
    plan.requests_per_sample = static_cast<std::uint32_t>(script.per_sample);
    plan.in_flight = script.in_flight;
    Samples read;
    const SegmentResult r = run_segment(workload_, {metric::reading, row.method}, plan, conductor_, request_, read);
    for (const double x : readings_of(read, row.method, r.full)) row.readings.push_back(x);
    if (const auto full = queue_filled_by(read, row.method)) row.full_queue = full;
  }

  // What the script itself would be told.
  void refuse_script(MethodRow& row) const {
    refuse_axes(row);
    if (row.method.cold && !device_.can().flush) row.error = device_.can().flush.why_not;
  }

  // A few requests, waited for together.
  nanoseconds estimate(const Method& m) {
    constexpr int kTried = 5;
    Clock& clock = device_.clock();
    const nanoseconds begin = clock.now();
    for (int i = 0; i < kTried && !over(); ++i) {
      if (m.cold) device_.flush_cache(workload_.stream());
      workload_.submit(request_++);
    }
    workload_.stream().synchronize();
    return (clock.now() - begin) / kTried;
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
    const GateObservation gate = prove_gate(workload_, submit, request_);
    result_.gate_why_not = gate.why_not;
    gate_tripped_ = gate.voided > 0;
    Replay replay = workload_.replay();
    graph_ = std::move(replay.workload);
    result_.graph_why_not = graph_ ? "" : replay.why_not;
    graph_gate_why_not_ = graph_ ? prove_graph_gate(*graph_, submit, request_).why_not : replay.why_not;
    copies_ = has_copies(workload_, request_);
    graph_copies_ = graph_ && has_copies(*graph_, request_);
  }

  void refuse_axes(MethodRow& row) const {
    try {
      check_method(row.method);
    } catch (const Error& e) {
      row.error = e.cause();
    }
    const bool needs_queue = row.method.clock == Method::Clock::device || row.method.queue == Method::Queue::full;
    // The matrix has such rows on devices with a queue only, the reference of a rate none elsewhere.
    if (needs_queue && !result_.asynchronous) row.error = device_.can().asynchronous.why_not;
  }

  void refuse(MethodRow& row) {
    if (is_script(row)) return;
    const Method& m = row.method;
    refuse_axes(row);
    // A graph may be queued where the eager workload waits for itself, and the other way round.
    const bool graph = m.form == Method::Form::graph;
    const std::string& gate_why_not = graph ? graph_gate_why_not_ : result_.gate_why_not;
    if (m.queue == Method::Queue::gated && !gate_why_not.empty()) {
      row.error = gate_why_not;
      if (!graph && gate_tripped_) trippers_.push_back(&row);
    }
    if (m.spin_gate && !device_.can().spin_gate) row.error = device_.can().spin_gate.why_not;
    if (graph && !graph_) row.error = result_.graph_why_not;
    if (m.same_input && workload_.input_sets() < 2) row.error = "the workload has one input set only";
    if (m.cold && !device_.can().flush) row.error = device_.can().flush.why_not;
    if (m.copies && !(graph ? graph_copies_ : copies_)) row.error = "there is nothing to copy";
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
      if (!row.error.empty() || !(takes_turns(row) || pauses(row))) continue;
      const SegmentPlan plan = segment_for(row.method, 0);
      const auto requests = static_cast<std::int64_t>((plan.settle_requests + plan.most) * plan.requests_per_sample);
      const auto rounds = static_cast<std::int64_t>(pauses(row) ? 1 : kRounds);
      all += rounds * requests * (request + row.method.idle.length);
    }
    return all;
  }

  void take(MethodRow& row, std::size_t round) {
    const Method& m = row.method;
    Workload& any_input = m.form == Method::Form::graph ? *graph_ : workload_;
    SameInput same(any_input);
    Workload& workload = m.same_input ? same : any_input;
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
    if (const auto full = queue_filled_by(samples, m)) filled_[&row].push_back(*full);
    if (conductor_.decide(r.gate_tripped)) give_up(row, plan.requests_per_sample);
  }

  void give_up(MethodRow& row, std::size_t requests) {
    const bool block = row.method.scope == Method::Scope::block;
    row.error = block ? fmt::format("{} requests cannot all be queued behind a gate", requests)
                      : "the workload waits for its own work behind the gate";
    row.readings.clear();
    if (!block && row.method.form == Method::Form::eager) trippers_.push_back(&row);
  }

  // All of these samples, after the readings that were there before.
  static void read(MethodRow& row, std::size_t before, const Samples& samples, const FullWindow& full = {}) {
    row.readings.resize(before);
    for (const double x : readings_of(samples, row.method, full)) row.readings.push_back(x);
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
  std::map<const MethodRow*, std::vector<FullQueue>> filled_;  // once for each round that saw it
  nanoseconds patience_{};
  bool slow_ = false;  // requests above 100 ms
  bool copies_ = false, graph_copies_ = false;
  bool flushed_ = false;  // since the last row that rotated over all inputs
  std::string graph_gate_why_not_;
  bool gate_tripped_ = false;         // the eager workload, before the rounds
  std::vector<MethodRow*> trippers_;  // rows of the eager workload that are gone for a trip
  Held held_;  // the result changes only while it is held; once it is on offer, nothing waits for a request then
  MethodRows result_;
};

}  // namespace

MethodRows time_by_methods(Workload& workload, const MethodPlan& plan, Remains<const MethodRows*>* remains) {
  return Rows(workload, plan, remains).run();
}

}  // namespace strobe
