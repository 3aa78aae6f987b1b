// SPDX-License-Identifier: Apache-2.0
#include "measure/probe.h"

#include <algorithm>
#include <vector>

#include "device/device.h"
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

}  // namespace

Probe probe(Workload& workload, std::size_t most, std::size_t& request, Conductor& conductor) {
  Stream& stream = workload.stream();
  Device& device = stream.device();
  Clock& clock = device.clock();
  const std::size_t before = request;
  std::vector<nanoseconds> latencies, submits;
  const auto once = [&] {
    const nanoseconds begin = clock.now();
    workload.submit(request++);
    const nanoseconds submitted = clock.now();
    stream.synchronize();
    latencies.push_back(clock.now() - begin);
    submits.push_back(submitted - begin);
  };
  Probe result;
  once();
  result.first = latencies[0];
  if (conductor.stopped()) most = 1;
  if (most > 1) {
    latencies.clear();
    submits.clear();
  }
  // Two that agree there must be, however slow they are.
  Goal goal{.until = clock.now() + kProbeTime, .least = 2};
  int dropped = 0;
  for (;;) {
    goal.most = goal.room = std::min(most, kProbeRequests + 1);
    const std::size_t all = request - before;
    if (all >= goal.most || !conductor.more(goal, {latencies.size(), all}, clock.now())) break;
    once();
    if (disagrees(latencies) && dropped++ < kMostDropped) {
      latencies.erase(latencies.begin(), latencies.end() - 1);
      submits.erase(submits.begin(), submits.end() - 1);
    }
    if (conductor.stopped()) most = 1;
  }
  result.typical = conductor.agree(stats::middle_of(latencies));
  result.submit = stats::middle_of(submits);
  if (!device.can().asynchronous && result.typical < kShortSample && most > kProbeRequests) {
    const double typical = fine_typical(workload, clock, request, conductor);
    result.requests_per_sample = static_cast<std::uint32_t>(std::max(1.0, to_double(kShortSample) / typical));
    result.typical = to_nanoseconds(typical * result.requests_per_sample);
  }
  result.requests = request - before;
  return result;
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
