// SPDX-License-Identifier: Apache-2.0
#include "study/search/trial_here.h"

#include <algorithm>
#include <array>
#include <new>

#include <fmt/format.h>

#include <strobe/error.h>

#include "device/device.h"
#include "host/memory.h"
#include "record/outcome_words.h"
#include "study/new_record.h"
#include "workload/pin.h"

namespace strobe {

void TrialsHere::report(const std::string& point) const {
  if (!progress_) return;
  Progress p;
  p.phase = point;
  p.elapsed = clock_.now() - begin_;
  progress_(p);
}

void TrialsHere::measure(const TrialPlan& t, const std::function<bool()>& stop, Trial& trial) {
  LocalConductor conductor(stop);
  Record& r = trial.about;
  r = new_record("trial");
  r.model.name = work_.name;
  r.model.runtime = "callable";
  const std::unique_ptr<Workload> workload = work_.make(t.point.batch);
  Device& device = workload->stream().device();
  r.device = device.info();
  uses_host_ = !device.memory();
  describe_point(point_run(*workload, t.point), trial.result);
  const std::array<Workload*, 1> alone{workload.get()};
  const auto between = [&] { report(trial.result.name); };
  measure_trial(alone, pin_rule(device, "auto"), t, conductor, between, trial.result.trial, r);
  trial.result.metrics = std::move(r.metrics);
  for (auto& [name, m] : trial.result.metrics) m.curve.clear();
}

Trial TrialsHere::operator()(const TrialPlan& t, const std::function<bool()>& stop) {
  Trial trial;
  Case& c = trial.result;
  TrialPoint point = t.point;
  if (uses_host_) point.in_flight = 1;
  describe_point(point, c);
  const auto exhausted = [&](const std::string& what, const std::string& cause) {
    c.outcome = trial_word::out_of_memory;
    c.error = what;
    c.trial.cause = cause;
    exhausts_ = std::min(t.point.batch, exhausts_.value_or(t.point.batch));
  };
  if (exhausts_ && t.point.batch >= *exhausts_) {
    exhausted(fmt::format("a batch of {} did not fit", *exhausts_), "");
    return trial;
  }
  std::optional<MemoryLimit> limit;
  if (t.memory_limit && uses_host_) limit.emplace(Bytes{*t.memory_limit});
  try {
    measure(t, stop, trial);
    c.outcome = trial_word::fits;
  } catch (const std::bad_alloc&) {
    exhausted("the host has no memory left", "");
  } catch (const Error& e) {
    if (e.code() != ErrorCode::out_of_memory) throw;
    exhausted(e.what(), e.cause());
  }
  return trial;
}

}  // namespace strobe
