// SPDX-License-Identifier: Apache-2.0
// Pipelines on a simulated device, stage by stage, and when their kernels must be done.
#pragma once

#include <algorithm>
#include <memory>

#include "workload/callable.h"
#include "workload/pipeline/pipeline.h"
#include "workload/pipeline/stage_work.h"

namespace strobe::testing {

// Kernels n × k with launch cost l, as a stage.
struct Kernels {
  std::uint32_t n;
  nanoseconds k, l;
};

inline Pipeline simulated_pipeline(const char* device) {
  Pipeline p;
  p.device = std::make_shared<SimulatedDevice>(parse_sim(device));
  return p;
}

inline std::size_t add_lane(Pipeline& p, const char* name) {
  p.lanes.push_back({name, p.device->stream()});
  return p.lanes.size() - 1;
}

inline void add_kernels(Pipeline& p, const char* name, std::size_t lane, const Kernels& x) {
  SimulatedTask task;
  task.work.kernels = {{x.n, x.k}};
  task.work.kernel_launch = x.l;
  task.own_kernel_launch = true;
  PipelineStage& s = p.stages.emplace_back();
  s.name = name;
  s.lane = lane;
  s.work = std::make_unique<SimulatedKernels>(task, dynamic_cast<SimulatedDevice&>(*p.device),
                                              dynamic_cast<SimulatedStream&>(*p.lanes[lane].stream));
}

inline void add_host(Pipeline& p, const char* name, nanoseconds length) {
  PipelineStage& s = p.stages.emplace_back();
  s.name = name;
  s.host = true;
  Clock& clock = p.device->clock();
  s.work = std::make_unique<Callable>([&clock, length] { clock.sleep(length); }, p.device->stream(), 1);
}

// When n kernels are done whose launches begin at `from`, on a stream that is free at `free`.
inline nanoseconds done(const Kernels& x, nanoseconds from, nanoseconds free) {
  return std::max({free + x.n * x.k, from + x.l + x.n * x.k, from + x.n * x.l + x.k});
}

}  // namespace strobe::testing
