// SPDX-License-Identifier: Apache-2.0
#include "measure/segment.h"

#include <algorithm>
#include <vector>

#include "device/host_lock.h"
#include "host/nvtx.h"
#include "measure/mark_pairs.h"
#include "measure/pauses.h"
#include "measure/queue.h"

namespace strobe {
namespace {

// A request that is not held goes ahead of each that is, so that the device works while the host queues: a GPU that
// idles clocks higher than under load. Not a long one, beside which queueing takes no time. It has the inputs before.
constexpr nanoseconds kLongestAhead = 20ms;

// How far a segment is, and what its samples are called; the conductor says when it ends. Nothing here allocates: room
// is made beforehand, and a segment that fills it ends early. Where requests turn out so much quicker than expected
// that the room is full before enough are kept, there has to be more.
class Progression {
 public:
  Progression(const SegmentPlan& plan, Conductor& conductor, Clock& clock, Samples& samples)
      : plan_(plan), conductor_(conductor), samples_(samples) {
    const auto expected = plan.typical > 0ns ? static_cast<std::size_t>(2 * plan.length / plan.typical) : 4096;
    const std::size_t room = std::min(std::max<std::size_t>(expected, 2 * plan.least) + 64, std::size_t{1} << 20);
    if (samples.capacity() < samples.size() + room) {
      // Written once now, so that no page is touched for the first time between two samples.
      const std::size_t used = samples.size();
      samples.resize(std::max(2 * samples.capacity(), used + room));
      samples.resize(used);
    }
    goal_ = {.least = plan.least, .most = plan.most, .deadline = plan.deadline, .needs_one = plan.needs_one};
    goal_.room = samples.capacity() - samples.size();
    start_ = clock.now();
    goal_.until = start_ + plan.length;
  }

  // Called with the clock's last reading; the loop needs none of its own.
  bool more(nanoseconds now) {
    if (result_.gate_tripped || result_.stopped) return false;
    return conductor_.more(goal_, {result_.kept, done_}, now);
  }

  // Of the sample with this number in the segment.
  bool settling(std::size_t number, nanoseconds begin) const {
    return begin < plan_.deadline && (number < plan_.settle_requests || begin - start_ < plan_.settle);
  }

  Sample& add(const Sample& s) {
    if (samples_.size() == samples_.capacity()) make_more_room();
    Sample& kept = samples_.emplace_back(s);
    kept.round = plan_.round;
    kept.requests = plan_.requests_per_sample;
    if (kept.state == SampleState::kept && settling(done_, s.begin)) kept.state = SampleState::settling;
    result_.kept += kept.state == SampleState::kept;
    ++done_;
    // Times are stored since the run began; until here they were the clock's.
    kept.begin -= plan_.origin;
    kept.submitted -= plan_.origin;
    kept.done -= plan_.origin;
    if (plan_.after_each) (*plan_.after_each)();
    if (conductor_.stopped()) result_.stopped = true;
    return kept;
  }

  // False: no request is to begin after it, or somebody asked for the end meanwhile.
  bool pause(Clock& clock, nanoseconds length) {
    if (clock.now() + length >= plan_.deadline) return false;
    if (!sleep_for(clock, length, conductor_)) result_.stopped = true;
    return !result_.stopped;
  }

  nanoseconds start() const { return start_; }
  SegmentResult& result() { return result_; }

 private:
  void make_more_room() {
    const std::size_t before = samples_.capacity();
    samples_.reserve(2 * before);
    goal_.room += samples_.capacity() - before;
  }

  const SegmentPlan& plan_;
  Conductor& conductor_;
  Samples& samples_;
  Goal goal_;
  nanoseconds start_{};
  std::size_t done_ = 0;
  SegmentResult result_;
};

// How the host waits. `none` returns at once.
void wait_for(Stream& stream, Device& device, Method::Wait wait) {
  switch (wait) {
    case Method::Wait::none:
      return;
    case Method::Wait::event:
      return stream.wait(stream.mark());
    case Method::Wait::stream:
      return stream.synchronize();
    case Method::Wait::device:
      return device.synchronize();
  }
}

// One request after the other, with its copies where they are timed, too: no loop asks whether they are.
template <bool Copies>
struct EachRequest {
  Workload& workload;
  Stream& stream;
  std::size_t& next;

  void operator()(std::size_t n) const {
    for (std::size_t r = 0; r < n; ++r, ++next) {
      if constexpr (Copies) workload.copy_in(next, stream, HostMemory::pinned);
      workload.submit(next);
      if constexpr (Copies) workload.copy_out(next, stream, HostMemory::pinned);
    }
  }
};

// The same of copies alone.
struct CopiesOnly {
  Workload& workload;
  const Pass& pass;
  std::size_t& next;

  void operator()(std::size_t n) const {
    Stream& stream = workload.stream();
    for (std::size_t r = 0; r < n; ++r, ++next) {
      if (pass.work == Pass::Work::copy_in)
        workload.copy_in(next, stream, pass.memory);
      else
        workload.copy_out(next, stream, pass.memory);
    }
  }
};

// What all loops need. `submit` makes as many requests as it is told.
template <class Submit>
struct SegmentLoop {
  Stream& stream;
  Device& device;
  Clock& clock;
  const Method& m;
  const SegmentPlan& plan;
  Progression& p;
  Samples& samples;
  Submit submit;
  const std::size_t& request;  // the next one
  const bool watched = nvtx::watched();
};

// For a tool that watches: around the interval, not in it.
template <class L>
nvtx::Range request_range(const L& l) {
  return {l.watched, nvtx::name::kRequest, l.request};
}

// In a full queue a request ends while others are handed over.
template <class L>
nvtx::Range submit_range(const L& l) {
  return {l.watched, nvtx::name::kSubmit, l.request};
}

// What the host part needs is there before the clock is read.
template <class L>
nanoseconds begin_request(const L& l) {
  take_host_lock();
  return l.clock.now();
}

// Outside the interval. A method that waits finds it done; one that never waits has it in front of it.
template <class L>
void flush_if(const L& l) {
  if (!l.m.cold) return;
  l.device.flush_cache(l.stream);
  if (l.m.wait != Method::Wait::none) l.stream.synchronize();
}

// Before an interval. A block in a full queue begins behind requests that nobody waits for.
template <class L>
void prepare(const L& l) {
  flush_if(l);
  if (l.m.queue == Method::Queue::full) l.submit(l.plan.in_flight);
}

// No marks here (but the one that `event` waits for): recording one costs the host a microsecond. More than one request
// per sample where one is too short for a clock reading, or where the method times blocks.
template <class L>
void host_loop(const L& l) {
  for (nanoseconds now = l.p.start(); l.p.more(now);) {
    prepare(l);
    const nvtx::Range range = request_range(l);
    Sample s;
    s.begin = begin_request(l);
    l.submit(l.plan.requests_per_sample);
    s.submitted = l.clock.now();
    wait_for(l.stream, l.device, l.m.wait);
    s.done = now = l.clock.now();
    l.p.add(s);
  }
}

// Between requests nobody spins, so that host and device can go to sleep.
template <class L>
void idle_loop(const L& l) {
  Pauses pauses(l.m.idle, l.plan.seed);
  for (nanoseconds now = l.p.start(); l.p.more(now);) {
    prepare(l);
    give_host_lock();
    if (!l.p.pause(l.clock, pauses.next())) return;
    const nvtx::Range range = request_range(l);
    Sample s;
    s.begin = begin_request(l);
    l.submit(1);
    s.submitted = l.clock.now();
    wait_for(l.stream, l.device, l.m.wait);
    s.done = now = l.clock.now();
    l.p.add(s);
  }
}

// Until the second mark where the method waits for one.
template <class L>
void wait_behind(const L& l, Mark b) {
  if (l.m.wait == Method::Wait::event)
    l.stream.wait(b);
  else
    wait_for(l.stream, l.device, l.m.wait);
}

template <class L>
void event_loop(const L& l) {
  MarkPairs pairs(l.stream, l.samples);
  for (nanoseconds now = l.p.start(); l.p.more(now);) {
    prepare(l);
    const nvtx::Range range = request_range(l);
    Sample s;
    take_host_lock();  // not between the marks
    const Mark a = l.stream.mark();
    s.begin = l.clock.now();
    l.submit(l.plan.requests_per_sample);
    s.submitted = l.clock.now();
    const Mark b = l.stream.mark();
    wait_behind(l, b);
    s.done = now = l.clock.now();
    l.p.add(s);
    pairs.add(a, b, l.samples.size() - 1, l.m.wait != Method::Wait::none);
    if (l.m.read == Method::Read::request) pairs.read();
  }
  l.stream.synchronize();
  pairs.read();
}

// `ahead`: what the device does until the gate holds it.
template <class L, class Ahead>
void gated_loop(const L& l, Ahead&& ahead) {
  MarkPairs pairs(l.stream, l.samples);
  const GateOptions options{.kind = l.m.spin_gate ? GateOptions::Kind::spin : GateOptions::Kind::automatic,
                            .patience = l.plan.patience};
  for (nanoseconds now = l.p.start(); l.p.more(now);) {
    flush_if(l);
    ahead();
    const nvtx::Range range = request_range(l);
    Sample s;
    take_host_lock();  // who has it may wait for what the gate would hold
    Gate gate = l.device.hold(l.stream, options);
    if (l.m.second) l.submit(1);
    const Mark a = l.stream.mark();
    s.begin = l.clock.now();
    l.submit(l.plan.requests_per_sample);
    s.submitted = l.clock.now();
    const Mark b = l.stream.mark();
    gate.open();
    wait_behind(l, b);
    s.done = now = l.clock.now();
    if (gate.tripped()) {
      s.state = SampleState::voided;
      l.p.result().gate_tripped = true;
    }
    l.p.add(s);
    pairs.add(a, b, l.samples.size() - 1, l.m.wait != Method::Wait::none);
  }
  l.stream.synchronize();
  pairs.read();
}

// `in_flight` requests outstanding; the host waits only for the oldest. A sample is added when its request is done.
template <class L>
void full_loop(const L& l) {
  l.stream.reserve_ends(l.plan.in_flight);
  Queue<Sample> queue(l.stream, l.plan.in_flight);
  EndMarks marks(l.stream);
  std::size_t number = 0;
  for (nanoseconds now = l.p.start(); l.p.more(now); ++number) {
    if (queue.full()) {
      Sample done = queue.pop();
      done.done = now = l.clock.now();
      l.p.add(done);
    }
    const nvtx::Range range = submit_range(l);
    Sample s;
    s.begin = begin_request(l);
    l.submit(1);
    s.submitted = l.clock.now();
    queue.push(s, l.stream.end());
    if (!l.p.settling(number, s.begin)) marks.begin_once(number);
  }
  marks.end();
  while (!queue.empty()) queue.pop();  // it runs empty: the host's times of these are not those of a full one
  l.p.result().full = marks.window(number);
}

// The same with a pair of marks around each request: its second is what the host waits for.
template <class L>
void full_event_loop(const L& l) {
  struct Marked {
    Sample sample;
    Mark a, b;
  };
  MarkPairs pairs(l.stream, l.samples, l.plan.in_flight);
  Queue<Marked> queue(l.stream, l.plan.in_flight);
  for (nanoseconds now = l.p.start(); l.p.more(now);) {
    if (queue.full()) {
      Marked done = queue.pop();
      done.sample.done = now = l.clock.now();
      l.p.add(done.sample);
      pairs.add(done.a, done.b, l.samples.size() - 1, true);
    }
    const nvtx::Range range = submit_range(l);
    Marked x;
    take_host_lock();  // not between the marks
    x.a = l.stream.mark();
    x.sample.begin = l.clock.now();
    l.submit(1);
    x.sample.submitted = l.clock.now();
    x.b = l.stream.mark();
    queue.push(x, x.b);
  }
  while (!queue.empty()) queue.pop();
  pairs.read();
}

template <class L, class Ahead>
void run_loop(const L& l, Ahead&& ahead) {
  const bool device_clock = l.m.clock == Method::Clock::device;
  if (l.m.queue == Method::Queue::gated) return gated_loop(l, ahead);
  if (l.m.queue == Method::Queue::full && l.m.scope == Method::Scope::request)
    return device_clock ? full_event_loop(l) : full_loop(l);
  if (l.m.idle.length > 0ns) return idle_loop(l);
  return device_clock ? event_loop(l) : host_loop(l);
}

}  // namespace

SegmentResult run_segment(Workload& workload, const Pass& pass, const SegmentPlan& plan, Conductor& conductor,
                          std::size_t& request, Samples& samples) {
  check_method(pass.method);
  Stream& stream = workload.stream();
  Device& device = stream.device();
  const Method& m = pass.method;
  stream.synchronize();
  Progression p(plan, conductor, device.clock(), samples);
  const auto run = [&](auto submit, auto&& ahead) {
    run_loop(SegmentLoop<decltype(submit)>{stream, device, device.clock(), m, plan, p, samples, submit, request},
             ahead);
  };
  const bool wanted = plan.ahead && device.clock_follows_load() && !m.cold && plan.typical <= kLongestAhead;
  const auto ahead = [&] {
    if (wanted) workload.submit(request + workload.input_sets() - 1);
  };
  if (pass.work != Pass::Work::request)
    run(CopiesOnly{workload, pass, request}, [] {});
  else if (m.copies)
    run(EachRequest<true>{workload, stream, request}, ahead);
  else
    run(EachRequest<false>{workload, stream, request}, ahead);
  return p.result();
}

}  // namespace strobe
