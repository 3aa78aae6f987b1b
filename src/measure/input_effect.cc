// SPDX-License-Identifier: Apache-2.0
#include "measure/input_effect.h"

#include <algorithm>
#include <array>
#include <vector>

#include "device/device.h"
#include "stats/middle.h"

namespace strobe {
namespace {

constexpr int kTurns = 12;
constexpr nanoseconds kInputTurn = 30ms;
constexpr std::size_t kLeastRequests = 3;  // requests a turn, after one that is not counted

double turn(Workload& workload, std::size_t& request, Conductor& conductor) {
  Stream& stream = workload.stream();
  Clock& clock = stream.device().clock();
  std::vector<double> times;
  const Goal goal{.until = clock.now() + kInputTurn, .least = kLeastRequests + 1};
  for (std::size_t i = 0; conductor.more(goal, {i, i}, clock.now()); ++i) {
    const nanoseconds begin = clock.now();
    workload.submit(request++);
    stream.synchronize();
    if (i > 0) times.push_back(to_double(clock.now() - begin));
  }
  return stats::middle_of(std::move(times));
}

}  // namespace

// Ratios of neighbouring turns, so that a machine that slows down meanwhile slows both sides.
std::optional<double> input_effect(Workload& given, Workload& other, Conductor& conductor) {
  std::size_t a = 0, b = 0;
  turn(given, a, conductor);
  turn(other, b, conductor);  // warm-up
  std::array<double, kTurns> ratios{};
  for (int i = 0; i < kTurns; ++i) {
    if (conductor.stopped()) return std::nullopt;
    // ABBA: whoever goes first pays for what came before.
    const bool given_first = i % 2 == 0;
    const double first = given_first ? turn(given, a, conductor) : turn(other, b, conductor);
    const double second = given_first ? turn(other, b, conductor) : turn(given, a, conductor);
    ratios[static_cast<std::size_t>(i)] = given_first ? second / first : first / second;
  }
  std::sort(ratios.begin(), ratios.end());
  return (ratios[kTurns / 2 - 1] + ratios[kTurns / 2]) / 2;
}

}  // namespace strobe
