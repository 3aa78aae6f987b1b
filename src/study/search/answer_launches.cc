// SPDX-License-Identifier: Apache-2.0
#include "study/search/answer_launches.h"

#include <algorithm>
#include <utility>

#include "study/merge_launches.h"
#include "verdict/judge.h"
#include "verdict/standing.h"

namespace strobe {
namespace {

// Of the one trial that had the answer.
bool is_of_a_launch(const Finding& f) {
  const Traits traits = traits_of(f);
  return traits.within_launch || traits.of_one_launch;
}

// Each launch as if it were the whole study.
Record merged(std::vector<Record> launches, double margin, std::string_view verb) {
  for (Record& r : launches) {
    r.verb = verb;
    r.cases.clear();
    apply_detectors(r);
  }
  return merge_launches(std::move(launches), margin);
}

}  // namespace

void answer_with_launches(std::vector<Record> launches, double margin, Record& r) {
  Record all = merged(std::move(launches), margin, r.verb);
  r.metrics = std::move(all.metrics);
  r.launches = std::move(all.launches);
  r.telemetry = std::move(all.telemetry);
  r.observations.disturbances = all.observations.disturbances;
  std::erase_if(r.findings, is_of_a_launch);
  for (Finding& f : all.findings) {
    const auto same = [&](const Finding& x) { return x.id == f.id; };
    if (std::none_of(r.findings.begin(), r.findings.end(), same)) r.findings.push_back(std::move(f));
  }
  sort_findings(r.findings);
  tell_standings(r, margin);
  r.verdict = std::max(verdict_of(r.findings), verdict_of_launches(r));
}

}  // namespace strobe
