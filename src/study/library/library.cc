// SPDX-License-Identifier: Apache-2.0
// The public functions of strobe/study.h.
#include <cmath>

#include <strobe/error.h>
#include <strobe/study.h>

#include "record/foreign_times.h"
#include "study/launches.h"
#include "study/library/plans.h"

namespace strobe {

Record run(const Model& model, const Options& o) {
  refuse_callable_options(o, "Set what the model needs in its Model: run({.model = \"a.onnx\", .device = \"cpu\"}).");
  return run_launches(plan_run(open_options(model), o));
}

Record methods(const Model& model, const MethodsOptions& o) {
  return methods_launches(plan_methods(open_options(model), o));
}

Record profile(const Model& model, const ProfileOptions& o) {
  return profile_launches(plan_profile(open_options(model), o));
}

Record memory(const Model& model, const MemoryOptions& o) {
  return memory_launches(plan_memory(open_options(model), o));
}

Record throughput(const Model& model, const ThroughputOptions& o) {
  return throughput(plan_throughput(open_options(model), o));
}

Record throughput(const BatchedWork& work, const ThroughputOptions& o) {
  return throughput(plan_throughput(work, o));
}

Record compare(const std::vector<Candidate>& candidates, const CompareOptions& o) {
  std::vector<CandidateOptions> all;
  for (const Candidate& c : candidates) all.push_back(plan_candidate(c));
  return compare(plan_compare(std::move(all), o));
}

Record compare_records(const std::vector<StoredRecord>& records, const CompareRecordsOptions& o) {
  return compare_stored(records, plan_compare_records(records.size(), o));
}

Record audit(const std::string& file, const AuditOptions& o) {
  return audit(plan_audit(file, o));
}

Record audit(const std::vector<std::chrono::duration<double>>& times, const AuditOptions& o) {
  if (!o.unit.empty() || !o.column.empty() || !o.decimal.empty())
    throw Error(ErrorCode::usage, "cannot use unit, column or decimal here", "they say how to read a file");
  if (times.empty()) throw Error(ErrorCode::bad_input, "cannot audit the times", "there are none");
  ForeignTimes all;
  all.tool = "times";
  for (const std::chrono::duration<double> t : times) {
    if (!std::isfinite(t.count()) || t.count() < 0)
      throw Error(ErrorCode::bad_input, "cannot audit the times", "one is negative or not finite");
    all.ns.push_back(t.count() * 1e9);
  }
  return audit_times(all, o.name.empty() ? "times" : o.name);
}

}  // namespace strobe
