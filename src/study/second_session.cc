// SPDX-License-Identifier: Apache-2.0
#include "study/second_session.h"

#include <algorithm>

#include "base/if_possible.h"
#include "measure/input_effect.h"
#include "measure/new_inputs.h"
#include "record/metric_names.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

bool can_ask(const OpenedModel& model, Conductor& conductor, const Record& r) {
  return model.runtime && r.status != Status::interrupted && !conductor.stopped();
}

// A note is not worth minutes: slower models are not asked.
bool is_quick_enough(const Record& r) {
  constexpr double kSlowest = 0.5e9;  // ns a request; about fifteen are needed
  const Metric* latency = r.find(metric::latency);
  return !latency || latency->estimate.value <= kSlowest;
}

}  // namespace

void try_other_inputs(OpenedModel& model, Conductor& conductor, Record& r) {
  if (!doubts_inputs(r) || !can_ask(model, conductor, r)) return;
  ModelOptions random = model.options;
  random.input_files.clear();
  for (const TensorInfo& in : r.model.inputs) random.shapes[in.name].dims = in.shape;
  random.batch.reset();
  random.input_sets.count = std::max(random.input_sets.count, InputSets().count);  // they take turns
  if_possible([&] {
    const auto other = model.runtime->load(random, *model.device);
    r.observations.other_input_ratio = input_effect(*model.workload, *other, conductor);
  });
}

// Another seed: what the first session has seen is known to the runtime, whoever asks.
void try_new_inputs(OpenedModel& model, Conductor& conductor, Record& r) {
  if (!r.observations.outputs || r.observations.outputs->distinct || !can_ask(model, conductor, r) ||
      !is_quick_enough(r))
    return;
  ModelOptions fresh = model.options;
  fresh.input_sets = kNewInputSets;
  ++fresh.seed;
  if_possible([&] {
    const auto session = model.runtime->load(fresh, *model.device);
    r.observations.new_input_ratio = new_input_ratio(*session, conductor);
  });
}

}  // namespace strobe
