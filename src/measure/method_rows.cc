#include "measure/method_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include <strobe/error.h>

#include "device/device.h"
#include "measure/calibration.h"
#include "measure/gate_safety.h"
#include "measure/host_watch.h"
#include "measure/probe.h"
#include "measure/segment.h"
#include "measure/waiting.h"

namespace strobe {
namespace {

constexpr std::size_t kRounds = 5;

constexpr const char* kNotReached = "the time was up before";

// The very first requests, timed in every way at once: two host readings, completion, two marks.
Trace cold_requests(Workload& workload, std::size_t n, const std::function<bool()>& stop, std::size_t& request) {
  Trace trace;
  if (n == 0) return trace;
  SegmentPlan plan;
  plan.settle_requests = 0;
  plan.least = plan.most = n;
  plan.stop = &stop;
  run_segment(workload, kSpanPass, plan, request, trace);
  return trace;
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
  Rows(Workload& workload, std::size_t warmup, std::size_t requests, const std::function<bool()>& stop,
       const std::function<void(const Progress&)>& progress)
      : workload_(workload),
        device_(workload.stream().device()),
        warmup_(warmup),
        requests_(requests),
        stop_(stop),
        progress_(progress) {}

  MethodRows run(std::vector<MethodRow> rows) {
    result_.asynchronous = static_cast<bool>(device_.can().asynchronous);
    result_.tick = to_double(device_.tick());
    result_.block = std::max<std::size_t>(1, requests_ / kRounds);
    report_first_request(progress_);
    const Trace cold = cold_requests(workload_, std::max<std::size_t>(1, warmup_), stop_, request_);
    result_.first_ns = to_double(cold.front().done - cold.front().begin);
    learn();
    result_.stopped = over();
    result_.rows = std::move(rows);
    for (MethodRow& row : result_.rows) refuse(row);
    try {
      take_turns();
    } catch (const Error& e) {
      // What was read before the device failed is worth having; nothing at all is just the error.
      const auto read = [](const MethodRow& row) { return !row.readings.empty(); };
      if (e.code() != ErrorCode::device_lost || std::none_of(result_.rows.begin(), result_.rows.end(), read)) throw;
      result_.failure = e.what();
    }
    for (MethodRow& row : result_.rows) {
      if (!row.method.warmup) put_cold_first(row, cold);
    }
    return std::move(result_);
  }

 private:
  void take_turns() {
    look_at_host();
    const nanoseconds begin = device_.clock().now();
    for (std::size_t round = 0; round < kRounds && !result_.stopped; ++round) {
      for (MethodRow& row : result_.rows) {
        if (!row.error.empty() || result_.stopped) continue;
        report(round, row.name, device_.clock().now() - begin);
        take(row, round);
      }
      if (!result_.asynchronous) result_.canary.push_back(to_double(canary(device_.clock())));
    }
    look_at_host();
    result_.disturbances = host_.since(0ns);
    if (result_.outputs && !result_.stopped) workload_.check_again(*result_.outputs);
  }

  // A simulated run has a time of its own.
  void look_at_host() {
    if (device_.info().kind != "simulated") host_.look(device_.clock().now());
  }

  bool over() const { return stop_ && stop_(); }

  void report(std::size_t round, const std::string& row, nanoseconds elapsed) const {
    if (!progress_) return;
    Progress p;
    p.phase = fmt::format("round {} of {}, {}", round + 1, kRounds, row);
    p.elapsed = elapsed;
    progress_(p);
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
    patience_ = gate_patience(submit);
    result_.outputs = workload_.check();
    if (over()) {
      result_.gate_why_not = result_.graph_why_not = graph_gate_why_not_ = kNotReached;
      return;
    }
    if (result_.asynchronous) result_.escaped_ns = escaped_work(workload_, request_, stop_);
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

  // This round's share of the row's requests; one more before them is not counted, as the row before still shows in it.
  void take(MethodRow& row, std::size_t round) {
    const Method& m = row.method;
    Workload& workload = m.form == Method::Form::graph ? *graph_ : m.same_input ? same_ : workload_;
    const bool block = m.scope == Method::Scope::block;
    const std::size_t share = requests_ * (round + 1) / kRounds - requests_ * round / kRounds;
    SegmentPlan plan;
    plan.round = static_cast<std::uint32_t>(round);
    plan.settle_requests = m.queue == Method::Queue::full ? plan.in_flight : 1;
    plan.least = plan.most = block ? 1 : std::max<std::size_t>(share, m.queue == Method::Queue::full ? 2 : 0);
    plan.requests_per_sample = block ? static_cast<std::uint32_t>(std::max<std::size_t>(1, share)) : 1;
    plan.patience = patience_;
    plan.stop = stop_ ? &stop_ : nullptr;
    Trace trace;
    if (row.reference) device_.counters().begin(workload.stream());
    const SegmentResult r = run_segment(workload, {"reading", m}, plan, request_, trace);
    if (row.reference) {
      if (const auto mhz = device_.counters().end(workload.stream()).mhz) result_.clocks[row.name].push_back(*mhz);
    }
    result_.stopped = result_.stopped || r.stopped;
    if (r.gate_tripped) row.error = "the workload waits for its own work behind the gate", row.readings.clear();
    if (!row.error.empty()) return;
    if (m.queue == Method::Queue::full) return add_period(row, trace);
    for (const Sample& s : trace) {
      if (s.state == SampleState::kept) row.readings.push_back(reading(s, m));
    }
  }

  // With a full queue it is the distance of completions that counts, not the time each request spent in it.
  static void add_period(MethodRow& row, const Trace& trace) {
    const auto first =
        std::find_if(trace.begin(), trace.end(), [](const Sample& s) { return s.state == SampleState::kept; });
    const auto gaps = trace.end() - first - 1;
    if (gaps > 0) row.readings.push_back(to_double(trace.back().done - first->done) / static_cast<double>(gaps));
  }

  void put_cold_first(MethodRow& row, const Trace& cold) const {
    const std::size_t n = std::min({warmup_, cold.size(), row.readings.size()});
    for (std::size_t i = 0; i < n; ++i) row.readings[i] = cold_reading(cold[i], row.method);
  }

  Workload& workload_;
  Device& device_;
  std::size_t warmup_, requests_, request_ = 0;
  const std::function<bool()>& stop_;
  const std::function<void(const Progress&)>& progress_;
  std::unique_ptr<Workload> graph_;
  SameInput same_{workload_};
  nanoseconds patience_{};
  HostWatch host_;
  bool copies_ = false;
  std::string graph_gate_why_not_;
  MethodRows result_;
};

}  // namespace

MethodRows time_by_methods(Workload& workload, std::vector<MethodRow> rows, std::size_t warmup, std::size_t requests,
                           const std::function<bool()>& stop, const std::function<void(const Progress&)>& progress) {
  return Rows(workload, warmup, requests, stop, progress).run(std::move(rows));
}

}  // namespace strobe
