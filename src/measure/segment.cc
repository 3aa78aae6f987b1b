#include "measure/segment.h"

#include <algorithm>
#include <array>
#include <vector>

namespace strobe {
namespace {

constexpr std::size_t kMarkPairs = 256;   // read back together, outside every interval

// Decides when a segment ends and what its samples are called. Nothing here allocates: room is made beforehand, and a
// segment that fills it ends early.
class Progression {
 public:
  Progression(const SegmentPlan& plan, Clock& clock, Trace& trace) : plan_(plan), clock_(clock), trace_(trace) {
    const auto expected = plan.typical > 0ns ? static_cast<std::size_t>(2 * plan.length / plan.typical) : 4096;
    const std::size_t room = std::min(std::max<std::size_t>(expected, 2 * plan.least) + 64, std::size_t{1} << 22);
    if (trace.capacity() < trace.size() + room) trace.reserve(std::max(2 * trace.capacity(), trace.size() + room));
    start_ = clock.now();
  }

  // Called with the clock's last reading; the loop needs none of its own.
  bool more(nanoseconds now) const {
    if (trace_.size() == trace_.capacity() || result_.kept >= plan_.most || result_.gate_tripped || result_.stopped) return false;
    return result_.kept < plan_.least || now - start_ < plan_.length;
  }

  Sample& add(const Sample& s) {
    Sample& kept = trace_.emplace_back(s);
    kept.round = plan_.round;
    kept.requests = plan_.requests_per_sample;
    const bool settling = done_ < plan_.settle_requests || s.begin - start_ < plan_.settle;
    if (kept.state == SampleState::kept && settling) kept.state = plan_.resumed ? SampleState::resumed : SampleState::settling;
    result_.kept += kept.state == SampleState::kept;
    ++done_;
    // Times are stored since the run began; until here they were the clock's.
    kept.begin -= plan_.origin, kept.submitted -= plan_.origin, kept.done -= plan_.origin;
    if (plan_.stop && *plan_.stop && (*plan_.stop)()) result_.stopped = true;
    return kept;
  }

  nanoseconds start() const { return start_; }
  SegmentResult& result() { return result_; }

 private:
  const SegmentPlan& plan_;
  Clock& clock_;
  Trace& trace_;
  nanoseconds start_{};
  std::size_t done_ = 0;
  SegmentResult result_;
};

// Marks waiting to be read: pairs and the samples they belong to.
class MarkPairs {
 public:
  explicit MarkPairs(Stream& stream, Trace& trace) : stream_(stream), trace_(trace) { stream.reserve(2 * kMarkPairs); }
  void add(Mark a, Mark b, std::size_t sample) {
    pairs_[n_++] = {a, b, sample};
    if (n_ == kMarkPairs) read();
  }
  void read() {
    for (std::size_t i = 0; i < n_; ++i) trace_[pairs_[i].sample].device = stream_.between(pairs_[i].a, pairs_[i].b);
    n_ = 0;
  }

 private:
  struct Pair {
    Mark a, b;
    std::size_t sample;
  };
  Stream& stream_;
  Trace& trace_;
  std::array<Pair, kMarkPairs> pairs_{};
  std::size_t n_ = 0;
};

// No marks here: recording one costs the host a microsecond; the span pass has its own loop.
void latency_loop(Workload& workload, Clock& clock, Progression& p, std::size_t& request) {
  Stream& stream = workload.stream();
  for (nanoseconds now = p.start(); p.more(now);) {
    Sample s;
    s.begin = clock.now();
    workload.submit(request++);
    s.submitted = clock.now();
    stream.synchronize();
    s.done = now = clock.now();
    p.add(s);
  }
}

// For work that is too short for one clock reading each: R requests between two readings. Inline devices only.
void block_loop(Workload& workload, Clock& clock, Progression& p, std::size_t& request, std::uint32_t requests) {
  for (nanoseconds now = p.start(); p.more(now);) {
    Sample s;
    s.begin = clock.now();
    for (std::uint32_t r = 0; r < requests; ++r) workload.submit(request++);
    s.submitted = s.done = now = clock.now();
    p.add(s);
  }
}

void end_to_end_loop(Workload& workload, Clock& clock, Progression& p, std::size_t& request) {
  Stream& stream = workload.stream();
  for (nanoseconds now = p.start(); p.more(now); ++request) {
    Sample s;
    s.begin = clock.now();
    workload.copy_in(request);
    workload.submit(request);
    workload.copy_out(request);
    s.submitted = clock.now();
    stream.synchronize();
    s.done = now = clock.now();
    p.add(s);
  }
}

template <class Submit>
void event_loop(Stream& stream, Clock& clock, Progression& p, Trace& trace, Submit&& submit) {
  MarkPairs pairs(stream, trace);
  for (nanoseconds now = p.start(); p.more(now);) {
    Sample s;
    const Mark a = stream.mark();
    s.begin = clock.now();
    submit();
    s.submitted = clock.now();
    const Mark b = stream.mark();
    stream.wait(b);
    s.done = now = clock.now();
    p.add(s);
    pairs.add(a, b, trace.size() - 1);
  }
  pairs.read();
}

void gated_loop(Workload& workload, Device& device, Progression& p, Trace& trace, std::size_t& request) {
  Stream& stream = workload.stream();
  Clock& clock = device.clock();
  MarkPairs pairs(stream, trace);
  for (nanoseconds now = p.start(); p.more(now);) {
    Sample s;
    Gate gate = device.hold(stream);
    const Mark a = stream.mark();
    s.begin = clock.now();
    workload.submit(request++);
    s.submitted = clock.now();
    const Mark b = stream.mark();
    gate.open();
    stream.wait(b);
    s.done = now = clock.now();
    if (gate.tripped()) s.state = SampleState::voided, p.result().gate_tripped = true;
    p.add(s);
    pairs.add(a, b, trace.size() - 1);
  }
  pairs.read();
}

// `in_flight` requests outstanding; the host waits only for the oldest. A sample is added when its request is done.
void full_loop(Workload& workload, Clock& clock, Progression& p, std::size_t& request, std::size_t in_flight) {
  Stream& stream = workload.stream();
  stream.reserve(in_flight);
  struct Outstanding {
    Sample sample;
    Mark end;
  };
  std::vector<Outstanding> ring(in_flight);
  std::size_t head = 0, count = 0;
  const auto complete = [&] {
    Outstanding& oldest = ring[head];
    stream.wait(oldest.end);
    oldest.sample.done = clock.now();
    p.add(oldest.sample);
    head = head + 1 == in_flight ? 0 : head + 1;
    --count;
    return oldest.sample.done;
  };
  for (nanoseconds now = p.start(); p.more(now);) {
    if (count == in_flight) now = complete();
    Outstanding& o = ring[(head + count++) % in_flight];
    o.sample.begin = clock.now();
    workload.submit(request++);
    o.sample.submitted = clock.now();
    o.end = stream.mark();
  }
  while (count > 0) {
    stream.wait(ring[head].end);   // the queue runs empty: these completions are not those of a full one
    head = head + 1 == in_flight ? 0 : head + 1;
    --count;
  }
}

}  // namespace

SegmentResult run_segment(Workload& workload, const Pass& pass, const SegmentPlan& plan, std::size_t& request, Trace& trace) {
  Stream& stream = workload.stream();
  Device& device = stream.device();
  Clock& clock = device.clock();
  stream.synchronize();
  Progression p(plan, clock, trace);
  switch (pass.work) {
    case Pass::Work::copy_in:
      event_loop(stream, clock, p, trace, [&] { workload.copy_in(request++); });
      return p.result();
    case Pass::Work::copy_out:
      event_loop(stream, clock, p, trace, [&] { workload.copy_out(request++); });
      return p.result();
    case Pass::Work::end_to_end:
      end_to_end_loop(workload, clock, p, request);
      return p.result();
    case Pass::Work::request:
      break;
  }
  const Method& m = pass.method;
  if (m.queue == Method::Queue::full) {
    full_loop(workload, clock, p, request, plan.in_flight);
  } else if (m.queue == Method::Queue::gated) {
    gated_loop(workload, device, p, trace, request);
  } else if (m.clock == Method::Clock::device) {
    event_loop(stream, clock, p, trace, [&] { workload.submit(request++); });
  } else if (plan.requests_per_sample > 1) {
    block_loop(workload, clock, p, request, plan.requests_per_sample);
  } else {
    latency_loop(workload, clock, p, request);
  }
  return p.result();
}

}  // namespace strobe
