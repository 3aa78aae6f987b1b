// SPDX-License-Identifier: Apache-2.0
#include "measure/gate_safety.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "device/device.h"
#include "device/host_lock.h"

namespace strobe {

nanoseconds gate_patience(nanoseconds ungated_submit) {
  return std::clamp<nanoseconds>(50 * ungated_submit, 500ms, kLongestPatience);
}

namespace {

constexpr nanoseconds kSlack = 20us;  // submits this short are at the mercy of the scheduler
// A scheduler that takes the CPU away delays one try; a queue without room delays every one.
constexpr int kTries = 3;

struct Behind {
  nanoseconds took{};
  bool tripped = false;
  bool by_the_first = false;  // its first request had tripped it already
};

// What takes longer than four submits fails all the same: a proof need not wait as long as a measurement would.
nanoseconds proof_patience(nanoseconds ungated_submit) {
  return std::min(gate_patience(ungated_submit), std::max<nanoseconds>(5 * ungated_submit, 500ms));
}

Behind submit_behind_gate(Workload& workload, std::size_t requests, nanoseconds patience, std::size_t& request) {
  Stream& stream = workload.stream();
  Device& device = stream.device();
  stream.synchronize();
  take_host_lock();
  Gate gate = device.hold(stream, {.patience = patience});
  const nanoseconds begin = device.clock().now();
  bool by_the_first = false;
  for (std::size_t i = 0; i < requests; ++i) {
    workload.submit(request++);
    by_the_first = i == 0 ? gate.tripped() : by_the_first;
  }
  const nanoseconds took = device.clock().now() - begin;
  gate.open();
  stream.synchronize();
  return {took, gate.tripped(), by_the_first};
}

// The first request of an input set may ask for memory, which behind a gate may wait for ever. Of two sets those before
// have run both.
void run_each_set(Workload& workload, std::size_t& request) {
  const std::size_t sets = workload.input_sets();
  for (std::size_t s = 0; sets > 2 && s < sets; ++s) workload.submit(request++);
}

bool in_time(const Behind& b, std::size_t requests, nanoseconds ungated_submit) {
  return !b.tripped && b.took <= 2 * static_cast<std::int64_t>(requests) * ungated_submit + kSlack;
}

}  // namespace

GateObservation prove_gate(Workload& workload, nanoseconds ungated_submit, std::size_t& request) {
  if (const Capability gate = workload.stream().device().can().gate; !gate) return {false, gate.why_not, 0};
  const nanoseconds patience = proof_patience(ungated_submit);
  run_each_set(workload, request);
  Behind behind;
  for (int i = 0; i < kTries && !behind.tripped; ++i) {
    behind = submit_behind_gate(workload, 2, patience, request);
    if (in_time(behind, 2, ungated_submit)) return {true, {}, 0};
  }
  if (!behind.tripped)
    return {false,
            fmt::format("submitting behind a closed gate took {} for two requests, {} for one without: the queue has "
                        "no room for them",
                        format_time(behind.took), format_time(ungated_submit)),
            0};
  // Of many launches two requests may be too much for the queue: one is what a measurement holds back.
  if (!behind.by_the_first && in_time(submit_behind_gate(workload, 1, patience, request), 1, ungated_submit))
    return {true, {}, 0};
  return {false, "the workload waits for its own work, so nothing can be queued ahead of it", 1};
}

GateObservation prove_graph_gate(Workload& graph, nanoseconds eager_submit, std::size_t& request) {
  GateObservation cold = prove_gate(graph, eager_submit, request);
  if (cold.used || !graph.stream().device().can().gate) return cold;
  return prove_gate(graph, eager_submit, request);
}

}  // namespace strobe
