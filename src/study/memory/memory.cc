// SPDX-License-Identifier: Apache-2.0
#include "study/memory/memory.h"

#include <algorithm>

#include <strobe/error.h>

#include "base/if_possible.h"
#include "measure/deadline.h"
#include "measure/memory_requests.h"
#include "measure/waiting.h"
#include "study/memory/memory_answer.h"
#include "study/new_record.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

void check_places(const std::vector<MemoryPlace>& places, const MemoryPlan& p) {
  if (!places.empty()) return;
  throw Error(ErrorCode::usage, "cannot say what memory goes to", "this simulated device has none that is counted",
              p.open.model.find('=') == std::string::npos ? "Take sim:memory, for example."
                                                          : "Add memory=1GiB,weights=50MiB, for example.");
}

void describe_requests(const MemoryRequests& seen, Deadline& deadline, Record& r) {
  r.startup.first_ns = to_double(seen.first);
  r.startup.warmup_requests = seen.warmup;
  r.startup.warmup_ns = to_double(seen.warmup_time);
  r.memory.requests = seen.requests;
  if (!seen.stopped) return;
  r.status = deadline.asked() ? Status::interrupted : Status::not_converged;
  if (r.status == Status::not_converged) r.status_reason = "fewer requests than were asked for";
}

}  // namespace

Record memory_launch(const MemoryPlan& p) {
  Record r = new_record(verb::memory);
  SteadyClock clock;
  const nanoseconds begin = clock.now();
  report_waiting(p.how.progress, "loading");
  MemoryLog log;
  nanoseconds zero = clock.now();  // of events, on the device's clock
  OpenOptions open = p.open;
  open.record_memory = p.recorded;
  open.before_load = [&](Device& device) {
    log.opened(device);
    if (device.info().kind == "simulated") zero = device.clock().now();
  };
  log.begin(memory_phase::load, true);
  OpenedModel model = open_model(open);
  log.end(0);
  describe_opened(model, r);
  report_waiting(p.how.progress, p.recorded ? "recording allocations" : "reading memory");
  LocalConductor conductor(p.how.stop);
  Deadline deadline(model.device->clock(), end_of(p.how.max_time, model.device->clock()), conductor);
  const MemoryRequests seen =
      watch_requests(*model.workload, {.requests = p.how.requests, .graph = p.how.graph}, log, deadline);
  describe_requests(seen, deadline, r);
  r.memory.places = log.take();
  check_places(r.memory.places, p);
  describe_memory(*model.workload, p.recorded, zero, r);
  if (p.how.graph && !seen.why_no_graph.empty())
    r.observations.gate = GateObservation{.used = false, .why_not = seen.why_no_graph};
  r.model = model.info;
  if_possible([&] { r.model = model.describe(); });
  describe_model_settings(p.open, model, r);
  r.window_ns = to_double(seen.warmup_time);
  r.duration_ns = to_double(clock.now() - begin);
  apply_detectors(r);
  return r;
}

}  // namespace strobe
