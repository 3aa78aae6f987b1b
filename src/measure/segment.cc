// SPDX-License-Identifier: Apache-2.0
#include "measure/segment.h"

#include <algorithm>
#include <array>
#include <vector>

#include "measure/pauses.h"
#include "measure/queue.h"

namespace strobe {
namespace {

constexpr std::size_t kMarkPairs = 256;  // read back together, outside every interval
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

// Marks waiting to be read: pairs and the samples they belong to.
class MarkPairs {
 public:
  explicit MarkPairs(Stream& stream, Samples& samples) : stream_(stream), samples_(samples) {
    stream.reserve(2 * kMarkPairs);
  }
  void add(Mark a, Mark b, std::size_t sample) {
    pairs_[n_++] = {a, b, sample};
    if (n_ < kMarkPairs) return;
    stream_.synchronize();  // without it a method that does not wait would read marks that are still ahead
    read();
  }
  void read() {
    for (std::size_t i = 0; i < n_; ++i) samples_[pairs_[i].sample].device = stream_.between(pairs_[i].a, pairs_[i].b);
    n_ = 0;
  }

 private:
  struct Pair {
    Mark a, b;
    std::size_t sample;
  };
  Stream& stream_;
  Samples& samples_;
  std::array<Pair, kMarkPairs> pairs_{};
  std::size_t n_ = 0;
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

// Outside the interval, and done before it begins.
void flush_if(bool cold, Stream& stream, Device& device) {
  if (!cold) return;
  device.flush_cache(stream);
  stream.synchronize();
}

// No marks here (but the one that `event` waits for): recording one costs the host a microsecond. More than one request
// per sample where one is too short for a clock reading, or where the method times blocks.
void host_loop(Workload& workload, Device& device, const Method& m, Progression& p, std::size_t& request,
               std::uint32_t requests) {
  Stream& stream = workload.stream();
  Clock& clock = device.clock();
  for (nanoseconds now = p.start(); p.more(now);) {
    flush_if(m.cold, stream, device);
    Sample s;
    s.begin = clock.now();
    for (std::uint32_t r = 0; r < requests; ++r) workload.submit(request++);
    s.submitted = clock.now();
    wait_for(stream, device, m.wait);
    s.done = now = clock.now();
    p.add(s);
  }
}

// Between requests nobody spins, so that host and device can go to sleep.
void idle_loop(Workload& workload, Device& device, const Method& m, std::uint64_t seed, Progression& p,
               std::size_t& request) {
  Stream& stream = workload.stream();
  Clock& clock = device.clock();
  Pauses pauses(m.idle, seed);
  for (nanoseconds now = p.start(); p.more(now);) {
    flush_if(m.cold, stream, device);
    if (!p.pause(clock, pauses.next())) return;
    Sample s;
    s.begin = clock.now();
    workload.submit(request++);
    s.submitted = clock.now();
    wait_for(stream, device, m.wait);
    s.done = now = clock.now();
    p.add(s);
  }
}

void host_copies_loop(Workload& workload, Device& device, const Method& m, Progression& p, std::size_t& request) {
  Stream& stream = workload.stream();
  Clock& clock = device.clock();
  for (nanoseconds now = p.start(); p.more(now); ++request) {
    flush_if(m.cold, stream, device);
    Sample s;
    s.begin = clock.now();
    workload.copy_in(request, stream, HostMemory::pinned);
    workload.submit(request);
    workload.copy_out(request, stream, HostMemory::pinned);
    s.submitted = clock.now();
    wait_for(stream, device, m.wait);
    s.done = now = clock.now();
    p.add(s);
  }
}

template <class Submit>
void event_loop(Stream& stream, Device& device, const Method& m, Progression& p, Samples& samples, Submit&& submit) {
  Clock& clock = device.clock();
  MarkPairs pairs(stream, samples);
  for (nanoseconds now = p.start(); p.more(now);) {
    flush_if(m.cold, stream, device);
    Sample s;
    const Mark a = stream.mark();
    s.begin = clock.now();
    submit();
    s.submitted = clock.now();
    const Mark b = stream.mark();
    if (m.wait == Method::Wait::event)
      stream.wait(b);
    else
      wait_for(stream, device, m.wait);
    s.done = now = clock.now();
    p.add(s);
    pairs.add(a, b, samples.size() - 1);
    if (m.read == Method::Read::request) pairs.read();
  }
  stream.synchronize();
  pairs.read();
}

// `ahead`: what the device does until the gate holds it.
template <class Ahead, class Submit>
void gated_loop(Stream& stream, Device& device, const Method& m, nanoseconds patience, Progression& p, Samples& samples,
                Ahead&& ahead, Submit&& submit) {
  Clock& clock = device.clock();
  MarkPairs pairs(stream, samples);
  const GateOptions options{.kind = m.spin_gate ? GateOptions::Kind::spin : GateOptions::Kind::automatic,
                            .patience = patience};
  for (nanoseconds now = p.start(); p.more(now);) {
    flush_if(m.cold, stream, device);
    ahead();
    Sample s;
    Gate gate = device.hold(stream, options);
    if (m.second) submit();
    const Mark a = stream.mark();
    s.begin = clock.now();
    submit();
    s.submitted = clock.now();
    const Mark b = stream.mark();
    gate.open();
    stream.wait(b);
    s.done = now = clock.now();
    if (gate.tripped()) {
      s.state = SampleState::voided;
      p.result().gate_tripped = true;
    }
    p.add(s);
    pairs.add(a, b, samples.size() - 1);
  }
  pairs.read();
}

template <class Copy>
void copy_loop(Stream& stream, Device& device, const Method& m, const SegmentPlan& plan, Progression& p,
               Samples& samples, Copy&& copy) {
  if (m.queue != Method::Queue::gated) return event_loop(stream, device, m, p, samples, copy);
  const auto nothing = [] {};
  gated_loop(stream, device, m, plan.patience, p, samples, nothing, copy);
}

// `in_flight` requests outstanding; the host waits only for the oldest. A sample is added when its request is done.
void full_loop(Workload& workload, Clock& clock, Progression& p, std::size_t& request, std::size_t in_flight) {
  Stream& stream = workload.stream();
  stream.reserve_ends(in_flight);
  Queue<Sample> queue(stream, in_flight);
  EndMarks marks(stream);
  std::size_t number = 0;
  for (nanoseconds now = p.start(); p.more(now); ++number) {
    if (queue.full()) {
      Sample done = queue.pop();
      done.done = now = clock.now();
      p.add(done);
    }
    Sample s;
    s.begin = clock.now();
    workload.submit(request++);
    s.submitted = clock.now();
    queue.push(s, stream.end());
    if (!p.settling(number, s.begin)) marks.begin_once(number);
  }
  marks.end();
  while (!queue.empty()) queue.pop();  // it runs empty: the host's times of these are not those of a full one
  p.result().full = marks.window(number);
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
  if (pass.work == Pass::Work::copy_in) {
    copy_loop(stream, device, m, plan, p, samples, [&] { workload.copy_in(request++, stream, pass.memory); });
  } else if (pass.work == Pass::Work::copy_out) {
    copy_loop(stream, device, m, plan, p, samples, [&] { workload.copy_out(request++, stream, pass.memory); });
  } else if (m.queue == Method::Queue::full) {
    full_loop(workload, device.clock(), p, request, plan.in_flight);
  } else if (m.queue == Method::Queue::gated) {
    const bool wanted = plan.ahead && device.clock_follows_load() && !m.cold && plan.typical <= kLongestAhead;
    const auto ahead = [&] {
      if (wanted) workload.submit(request + workload.input_sets() - 1);
    };
    gated_loop(stream, device, m, plan.patience, p, samples, ahead, [&] { workload.submit(request++); });
  } else if (m.clock == Method::Clock::device) {
    event_loop(stream, device, m, p, samples, [&] {
      for (std::uint32_t r = 0; r < plan.requests_per_sample; ++r) workload.submit(request++);
    });
  } else if (m.idle.length > 0ns) {
    idle_loop(workload, device, m, plan.seed, p, request);
  } else if (m.copies) {
    host_copies_loop(workload, device, m, p, request);
  } else {
    host_loop(workload, device, m, p, request, plan.requests_per_sample);
  }
  return p.result();
}

}  // namespace strobe
