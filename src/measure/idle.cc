// SPDX-License-Identifier: Apache-2.0
#include "measure/idle.h"

#include <algorithm>

#include "device/device.h"
#include "host/cpu_clock.h"
#include "measure/pauses.h"
#include "measure/segment.h"

namespace strobe {
namespace {

constexpr std::size_t kFewestAfterPause = 5, kMostAfterPause = 100;  // of 35 independent ones a p90 has an interval

// A simulated device has a time of its own: this machine's CPU has no part in it.
PowerReading power_of(Device& device) {
  const PowerState state = device.power_state();
  PowerReading now{.device_mhz = state.mhz, .pstate = state.level};
  if (device.info().kind != "simulated") now.cpu_mhz = cpu_mhz();
  return now;
}

// The device's own counter is exact, and would wake it: so only around the request.
void watch_one(Workload& workload, const IdlePlan& plan, Conductor& conductor, std::size_t& request, IdleSamples& s) {
  Stream& stream = workload.stream();
  Device& device = stream.device();
  if (device.clock().now() + plan.pause.length >= plan.deadline) return;
  if (!sleep_for(device.clock(), plan.pause.length, conductor)) return;
  s.before = power_of(device);
  device.counters().begin(stream);
  workload.submit(request++);
  const Counted counted = device.counters().end(stream);
  stream.synchronize();
  s.after = power_of(device);
  if (counted.mhz) s.after.device_mhz = counted.mhz;
}

}  // namespace

Pass idle_pass(const IdlePause& pause) {
  Pass pass = kLatencyPass;
  pass.method.name = "idle";
  pass.method.idle = pause;
  pass.apart = true;
  return pass;
}

std::size_t idle_requests(const IdlePause& pause, nanoseconds typical, nanoseconds length,
                          std::optional<std::size_t> most) {
  const auto fitting = static_cast<std::size_t>(length / (pause.length + typical));
  return std::min(std::clamp(fitting, kFewestAfterPause, kMostAfterPause), most.value_or(SIZE_MAX));
}

nanoseconds idle_time(const std::vector<IdlePause>& pauses, nanoseconds length, std::optional<std::size_t> most) {
  nanoseconds all{};
  for (const IdlePause& p : pauses)
    all += static_cast<std::int64_t>(idle_requests(p, 0ns, length, most) + kRequestsBesideIdle) * p.length;
  return all;
}

IdleSamples measure_idle(Workload& workload, const IdlePlan& plan, Conductor& conductor, std::size_t& request) {
  IdleSamples s{.pause = plan.pause};
  SegmentPlan segment;
  segment.origin = plan.origin;
  segment.least = segment.most = plan.requests;
  segment.deadline = plan.deadline;
  segment.seed = plan.seed;
  Pass pass = idle_pass(plan.pause);
  pass.method.cold = plan.cold;
  s.stopped = run_segment(workload, pass, segment, conductor, request, s.samples).stopped;
  if (!s.stopped) watch_one(workload, plan, conductor, request, s);
  if (kept_after(s.samples, 0ns) == 0) s.why_not = "there was no time for a request after such a pause";
  return s;
}

}  // namespace strobe
