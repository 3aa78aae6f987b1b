// SPDX-License-Identifier: Apache-2.0
#include "measure/turn_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/units.h"
#include "measure/gate_safety.h"

namespace strobe {
namespace {

constexpr nanoseconds kLongestSegment = 100ms, kShortestSegment = 20ms;
constexpr std::int64_t kAboutRounds = 8;  // about so many in a launch, where requests are quick
constexpr std::int64_t kBeside = 10;      // a part in so many of a launch passes between segments

nanoseconds length_of_turn(const LaunchLimits& limits, std::size_t passes) {
  const nanoseconds measuring = limits.length.length - limits.length.length / kBeside;
  const nanoseconds share = measuring / (kAboutRounds * static_cast<std::int64_t>(passes));
  return limits.budget.segment(std::clamp(share, kShortestSegment, kLongestSegment), passes);
}

// With one pass nothing is switched: only the first request after the pause between rounds differs.
void plan_settling(const Probe& probe, std::size_t passes, SegmentPlan& p) {
  p.settle = passes > 1 ? p.length / 5 : 0ns;
  p.settle_requests = passes > 1 && probe.typical <= kSlowRequest / 2 ? 2 : 1;
}

}  // namespace

SegmentPlan plan_turn(const LaunchLimits& limits, const Measurement& so_far, const PassSamples& pass) {
  const auto& [options, length, budget] = limits;
  const Probe& probe = so_far.probe;
  const bool full = pass.pass.method.queue == Method::Queue::full;
  SegmentPlan p;
  p.origin = so_far.begun;
  p.length = length_of_turn(limits, so_far.passes.size());
  p.least = probe.typical > kSlowRequest ? 5 : 10;
  plan_settling(probe, so_far.passes.size(), p);
  if (full) p.settle_requests = std::max(p.settle_requests, options.in_flight);
  p.requests_per_sample = probe.requests_per_sample;
  p.in_flight = std::max<std::size_t>(1, options.in_flight);
  p.typical = pass.typical;
  p.patience = gate_patience(probe.submit);
  if (!budget.limited()) return p;
  p.deadline = so_far.begun + budget.rounds(so_far.asynchronous);
  // What is queued is waited for, too.
  if (full) p.deadline -= static_cast<std::int64_t>(options.in_flight) * probe.typical;
  return p;
}

}  // namespace strobe
