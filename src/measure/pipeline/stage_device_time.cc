// SPDX-License-Identifier: Apache-2.0
#include "measure/pipeline/stage_device_time.h"

#include "measure/gate_safety.h"
#include "measure/segment.h"
#include "measure/trip.h"

namespace strobe {
namespace {

// As often as the pipeline submits it.
class Repeated final : public Workload {
 public:
  explicit Repeated(PipelineStage& stage) : stage_(stage) {}
  void submit(std::size_t request) override {
    for (std::uint32_t r = 0; r < stage_.repeat; ++r) stage_.work->submit(request + r);
  }
  Stream& stream() override { return stage_.work->stream(); }

 private:
  PipelineStage& stage_;
};

}  // namespace

StageWork stage_device_time(PipelineStage& stage, nanoseconds submit, std::size_t least, Conductor& conductor,
                            std::size_t& request) {
  if (!stage.why_no_gate.empty()) return {{}, stage.why_no_gate};
  Repeated work(stage);
  if (const GateObservation gate = prove_gate(work, submit, request); !gate.used)
    return {{}, gate.why_not, gate.voided > 0};
  SegmentPlan plan;
  plan.length = 50ms;
  plan.least = least;
  plan.settle_requests = 2;
  plan.patience = gate_patience(submit);
  plan.typical = submit;
  plan.ahead = false;  // nobody knows yet whether a request is long
  Samples samples;
  if (run_segment(work, kDeviceTimePass, plan, conductor, request, samples).gate_tripped)
    return {{}, "it waited for its own work behind the gate", true};
  StageWork result;
  for (const Sample& s : samples) {
    if (s.state == SampleState::kept) result.device_time.push_back(to_double(s.device));
  }
  return result;
}

void explain_trip(PipelineStage& stage, StageWork& work, std::size_t& request) {
  if (!work.tripped) return;
  if (const auto why = explain_trip(*stage.work, stage.repeat, "it", request)) work.why_not = *why;
}

}  // namespace strobe
