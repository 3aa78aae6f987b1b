// SPDX-License-Identifier: Apache-2.0
#include "measure/calibration.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "stats/canary.h"
#include "stats/middle.h"
#include "workload/builtin.h"

namespace strobe {
namespace {

constexpr int kRepeats = 101;

template <class F>
double cost(Clock& clock, F&& f) {
  std::vector<double> xs;
  for (int i = 0; i < kRepeats; ++i) {
    const nanoseconds begin = clock.now();
    f();
    xs.push_back(to_double(clock.now() - begin));
  }
  return stats::middle_of(std::move(xs));
}

void calibrate_clock(Clock& clock, Calibration& c) {
  constexpr int kReads = 1000;
  nanoseconds smallest = 1s, last = clock.now();
  const nanoseconds begin = last;
  for (int i = 0; i < kReads; ++i) {
    const nanoseconds now = clock.now();
    if (now > last) smallest = std::min(smallest, now - last);
    last = now;
  }
  c["clock_read_ns"] = to_double(last - begin) / kReads;
  if (smallest < 1s) c["clock_tick_ns"] = to_double(smallest);
}

// In the loop that times short requests; the quickest of many, because a slow start of the machine is no property of
// it.
void calibrate_empty_request(Device& device, Calibration& c) {
  constexpr std::size_t kRequests = 1000;
  const std::unique_ptr<Workload> nothing = make_builtin("null", device);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepeats; ++i) {
    const nanoseconds begin = device.clock().now();
    for (std::size_t r = 0; r < kRequests; ++r) nothing->submit(r);
    best = std::min(best, to_double(device.clock().now() - begin) / kRequests);
  }
  c["empty_request_ns"] = best;
}

void calibrate_marks(Device& device, Calibration& c) {
  const auto stream = device.stream();
  stream->reserve(2 * kRepeats);
  stream->synchronize();
  c["mark_ns"] = cost(device.clock(), [&] { stream->mark(); });
  stream->synchronize();
  c["sync_ns"] = cost(device.clock(), [&] { stream->synchronize(); });
  c["device_sync_ns"] = cost(device.clock(), [&] { device.synchronize(); });
  c["mark_tick_ns"] = to_double(device.tick());
  if (!device.can().gate) return;
  std::vector<double> pairs;
  for (int i = 0; i < kRepeats; ++i) {
    Gate gate = device.hold(*stream);
    const Mark a = stream->mark(), b = stream->mark();
    gate.open();
    stream->wait(b);
    pairs.push_back(to_double(stream->between(a, b)));
  }
  c["mark_pair_ns"] = stats::middle_of(std::move(pairs));
}

}  // namespace

Calibration calibrate(Device& device, Depth depth) {
  Calibration c;
  calibrate_clock(device.clock(), c);
  if (device.can().asynchronous) calibrate_marks(device, c);
  if (device.info().kind == "cpu") calibrate_empty_request(device, c);
  c.merge(device.calibrate(depth));
  return c;
}

// A chain of dependent integer operations: no memory, no branches, nothing a compiler can shorten.
nanoseconds canary(Clock& clock) {
  constexpr int kSteps = 400'000;
  const nanoseconds begin = clock.now();
  std::uint64_t x = static_cast<std::uint64_t>(begin.count()) | 1;
  for (int i = 0; i < kSteps; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  const volatile std::uint64_t sink = x;
  static_cast<void>(sink);
  return clock.now() - begin;
}

void describe_canary(std::span<const double> times, Telemetry& telemetry) {
  if (times.empty()) return;
  telemetry.facts["canary_excess"] = stats::canary_excess(times);
  telemetry.facts["canary_best_ns"] = *std::min_element(times.begin(), times.end());
}

}  // namespace strobe
