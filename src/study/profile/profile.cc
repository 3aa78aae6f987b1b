// SPDX-License-Identifier: Apache-2.0
#include "study/profile/profile.h"

#include <strobe/error.h>

#include "base/if_possible.h"
#include "device/device.h"
#include "host/file.h"
#include "measure/deadline.h"
#include "measure/profile_requests.h"
#include "measure/waiting.h"
#include "option/forms.h"
#include "study/new_record.h"
#include "study/options/tables.h"
#include "study/profile/profile_answer.h"
#include "study/run.h"
#include "trace/saved_trace.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

// What the headline is: a launch of `run`, without what only its first one looks at.
Record clean_launch(const ProfilePlan& p) {
  RunOptions o;
  o.open = p.open;
  o.measure.effort = Effort::quick;
  o.measure.launches = 1;
  o.measure.max_time = p.how.max_time;
  o.measure.progress = p.how.progress;
  o.measure.stop = p.how.stop;
  return run(o);
}

// What was measured is not lost with it.
void save(const trace::SavedTrace& recording, const std::string& file, Record& r) {
  if (file.empty()) return;
  try {
    write_file(file, trace::trace_json(recording));
  } catch (const Error& e) {
    r.unwritten = e.what();
  }
}

Record profiled_launch(const ProfilePlan& p) {
  Record r = new_record(verb::profile);
  SteadyClock clock;
  const nanoseconds begin = clock.now();
  report_waiting(p.how.progress, "loading");
  OpenOptions open = p.open;
  open.traced = true;
  OpenedModel model = open_model(open);
  describe_opened(model, r);
  report_waiting(p.how.progress, "profiling");
  LocalConductor conductor(p.how.stop);
  Deadline deadline(model.device->clock(), end_of(p.how.max_time, model.device->clock()), conductor);
  const ProfiledRequests seen = profile_requests(*model.workload, {.requests = p.how.requests}, deadline);
  if (seen.requests.empty())
    throw Error(ErrorCode::interrupted, "cannot profile", "it was stopped before the first request that counts");
  if (seen.stopped) r.status = deadline.asked() ? Status::interrupted : Status::not_converged;
  describe_profile(seen, to_double(model.device->tick()), r);
  save(seen.recording, p.how.save_trace, r);
  r.model = model.info;
  if_possible([&] { r.model = model.describe(); });
  describe_model_settings(p.open, model, r);
  r.duration_ns = to_double(clock.now() - begin);
  apply_detectors(r);
  return r;
}

}  // namespace

Record profile_launch(const ProfilePlan& p) {
  return p.profiled ? profiled_launch(p) : clean_launch(p);
}

}  // namespace strobe
