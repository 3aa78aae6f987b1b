// SPDX-License-Identifier: Apache-2.0
#include "measure/probe.h"

#include <algorithm>
#include <vector>

#include "device/device.h"
#include "device/host_lock.h"
#include "stats/middle.h"

namespace strobe {
namespace {

constexpr nanoseconds kShortSample = 10us;  // below this a clock reading is a noticeable part of a sample
constexpr nanoseconds kProbeTime = 20ms;
constexpr std::size_t kProbeRequests = 100;
// Runtimes compile in their first few requests, not only in the first: a slow request that differs by this factor from
// the one before it is not typical, nor is what came before. But some workloads never agree with themselves.
constexpr double kAgree = 1.5;
constexpr nanoseconds kMayCompile = 10ms;
constexpr int kMostDropped = 8;

// Doubles the number of requests between two clock readings until they take 50 µs: work of a nanosecond cannot be timed
// alone.
double fine_typical(Workload& workload, Clock& clock, std::size_t& request, Conductor& conductor) {
  for (std::size_t n = 16;; n *= 2) {
    take_host_lock();
    const nanoseconds begin = clock.now();
    for (std::size_t i = 0; i < n; ++i) workload.submit(request++);
    const nanoseconds took = clock.now() - begin;
    if (n >= (std::size_t{1} << 22) || conductor.decide(took > 5 * kShortSample))
      return conductor.agree(std::max(0.1, to_double(took) / static_cast<double>(n)));
  }
}

bool disagrees(const std::vector<nanoseconds>& latencies) {
  if (latencies.size() < 2) return false;
  const auto [shorter, longer] = std::minmax(latencies.back(), latencies[latencies.size() - 2]);
  return longer > kMayCompile && to_double(longer) > kAgree * to_double(shorter);
}

// The first requests of a workload, until two that follow each other agree, for 20 ms.
class FirstRequests {
 public:
  FirstRequests(Workload& workload, std::size_t most, std::size_t& request, Conductor& conductor)
      : workload_(workload),
        stream_(workload.stream()),
        clock_(stream_.device().clock()),
        conductor_(conductor),
        most_(most),
        before_(request),
        request_(request) {}

  Probe run() {
    Probe result;
    once();
    result.first = latencies_[0];
    if (conductor_.stopped()) most_ = 1;
    if (most_ > 1) keep_last(0);
    make_typical_ones();
    result.typical = conductor_.agree(stats::middle_of(latencies_));
    result.submit = stats::middle_of(submits_);
    look_closer(result);
    result.requests = request_ - before_;
    return result;
  }

 private:
  void once() {
    take_host_lock();
    const nanoseconds begin = clock_.now();
    workload_.submit(request_++);
    const nanoseconds submitted = clock_.now();
    stream_.synchronize();
    latencies_.push_back(clock_.now() - begin);
    submits_.push_back(submitted - begin);
  }

  void keep_last(std::ptrdiff_t n) {
    for (auto* times : {&latencies_, &submits_}) times->erase(times->begin(), times->end() - n);
  }

  // Two that agree there must be, however slow they are.
  void make_typical_ones() {
    Goal goal{.until = clock_.now() + kProbeTime, .least = 2};
    int dropped = 0;
    for (;;) {
      goal.most = goal.room = std::min(most_, kProbeRequests + 1);
      const std::size_t all = request_ - before_;
      if (all >= goal.most || !conductor_.more(goal, {latencies_.size(), all}, clock_.now())) return;
      once();
      if (disagrees(latencies_) && dropped++ < kMostDropped) keep_last(1);
      if (conductor_.stopped()) most_ = 1;
    }
  }

  // Requests that are too short to be timed one by one.
  void look_closer(Probe& result) {
    if (stream_.device().can().asynchronous) return;
    if (result.typical >= kShortSample || most_ <= kProbeRequests) return;
    const double typical = fine_typical(workload_, clock_, request_, conductor_);
    result.requests_per_sample = static_cast<std::uint32_t>(std::max(1.0, to_double(kShortSample) / typical));
    result.typical = to_nanoseconds(typical * result.requests_per_sample);
  }

  Workload& workload_;
  Stream& stream_;
  Clock& clock_;
  Conductor& conductor_;
  std::size_t most_;
  const std::size_t before_;
  std::size_t& request_;
  std::vector<nanoseconds> latencies_, submits_;
};

}  // namespace

Probe probe(Workload& workload, std::size_t most, std::size_t& request, Conductor& conductor) {
  return FirstRequests(workload, most, request, conductor).run();
}

// A device-wide wait right after a request's end mark, against the same wait after a pause in which whatever escaped
// has come to its end: a wait after hundreds of launches costs more than one after none, and that is no work.
std::optional<double> escaped_work(Workload& workload, std::size_t& request, Conductor& conductor) {
  Stream& stream = workload.stream();
  Device& device = stream.device();
  Clock& clock = device.clock();
  stream.reserve(2);
  std::vector<nanoseconds> at_once, later;
  for (std::size_t i = 0; i < kEscapeRequests / 2; ++i) {
    if (conductor.stopped()) return std::nullopt;
    const auto wait_after = [&](nanoseconds pause) {
      workload.submit(request++);
      stream.wait(stream.mark());
      if (pause > 0ns) clock.sleep(pause);
      const nanoseconds begin = clock.now();
      device.synchronize();
      return clock.now() - begin;
    };
    at_once.push_back(wait_after(0ns));
    later.push_back(wait_after(2 * at_once.back()));
  }
  return std::max(0.0, to_double(stats::middle_of(at_once) - stats::middle_of(later)));
}

}  // namespace strobe
