// SPDX-License-Identifier: Apache-2.0
// The public functions of strobe/study.h.
#include <strobe/study.h>

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

Record throughput(const Model& model, const ThroughputOptions& o) {
  return throughput(plan_throughput(open_options(model), o));
}

Record compare(const std::vector<Candidate>& candidates, const CompareOptions& o) {
  std::vector<CandidateOptions> all;
  for (const Candidate& c : candidates) all.push_back(plan_candidate(c));
  return compare(plan_compare(std::move(all), o));
}

}  // namespace strobe
