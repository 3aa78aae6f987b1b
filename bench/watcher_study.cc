// SPDX-License-Identifier: Apache-2.0
// What watching costs: the same work with and without the sampler's thread beside it, in turns, and the counters that a
// run reads once a round. The study behind the claim that telemetry does not disturb; run by hand.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "device/clock.h"
#include "host/counters.h"
#include "host/sampler.h"
#include "measure/calibration.h"

namespace {

using namespace strobe;

constexpr int kTurns = 60;     // of each kind
constexpr auto kTurn = 500ms;  // five samples of the watcher
constexpr int kCounterReads = 2000;

double median(std::vector<double> xs) {
  std::nth_element(xs.begin(), xs.begin() + static_cast<std::ptrdiff_t>(xs.size() / 2), xs.end());
  return xs[xs.size() / 2];
}

// How often the fixed piece of work is done in a turn, per second; and its typical time.
struct Turn {
  double rate = 0, typical_ns = 0;
};

Turn turn(Clock& clock) {
  std::vector<double> times;
  const nanoseconds begin = clock.now();
  while (clock.now() - begin < kTurn) times.push_back(to_double(canary(clock)));
  const double seconds = to_seconds(clock.now() - begin);
  return {static_cast<double>(times.size()) / seconds, median(times)};
}

}  // namespace

int main() {
  SteadyClock clock;
  std::vector<double> rate_ratios, time_ratios;
  for (int i = 0; i < kTurns; ++i) {
    Turn without, with;
    const auto watched = [&] {
      HostSampler sampler;
      with = turn(clock);
    };
    // ABBA: what the machine does meanwhile hits both alike.
    if (i % 2 == 0) {
      without = turn(clock);
      watched();
    } else {
      watched();
      without = turn(clock);
    }
    rate_ratios.push_back(without.rate / with.rate);
    time_ratios.push_back(with.typical_ns / without.typical_ns);
  }
  const nanoseconds begin = clock.now();
  for (int i = 0; i < kCounterReads; ++i) read_counters();
  const double read_ns = to_double(clock.now() - begin) / kCounterReads;
  std::sort(rate_ratios.begin(), rate_ratios.end());
  std::sort(time_ratios.begin(), time_ratios.end());
  const auto at = [](const std::vector<double>& xs, double p) {
    return xs[static_cast<std::size_t>(p * double(xs.size() - 1))];
  };
  std::printf("time with / without the watcher, %d pairs: median %.4f, quartiles %.4f to %.4f\n", kTurns,
              at(time_ratios, 0.5), at(time_ratios, 0.25), at(time_ratios, 0.75));
  std::printf("rate without / with:                      median %.4f, quartiles %.4f to %.4f\n", at(rate_ratios, 0.5),
              at(rate_ratios, 0.25), at(rate_ratios, 0.75));
  std::printf("the counters of a round: %.1f us, once in at least 100 ms\n", read_ns / 1000);
}
