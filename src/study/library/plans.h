// SPDX-License-Identifier: Apache-2.0
// From the options that users set, in a program or on the command line, to what the studies work with. What they would
// ignore or cannot do is refused here, before anything is opened.
#pragma once

#include <vector>

#include <strobe/study.h>

#include "study/audit.h"
#include "study/compare/compare.h"
#include "study/compare/compare_records.h"
#include "study/memory/memory.h"
#include "study/methods.h"
#include "study/profile/profile.h"
#include "study/run.h"
#include "study/search/throughput.h"

namespace strobe {

OpenOptions open_options(const Model&);
RunOptions plan_run(const OpenOptions&, const Options&);
MethodsPlan plan_methods(const OpenOptions&, const MethodsOptions&);
ProfilePlan plan_profile(const OpenOptions&, const ProfileOptions&);
MemoryPlan plan_memory(const OpenOptions&, const MemoryOptions&);
ThroughputPlan plan_throughput(const OpenOptions&, const ThroughputOptions&);
ThroughputPlan plan_throughput(const BatchedWork&, const ThroughputOptions&);
ComparePlan plan_compare(std::vector<CandidateOptions>, const CompareOptions&);
CompareRecordsPlan plan_compare_records(std::size_t records, const CompareRecordsOptions&);
// Of a file; whether it holds times shows in it. Throws Error where options of times stand beside a record.
AuditPlan plan_audit(const std::string& file, const AuditOptions&);
// A candidate of a library user.
CandidateOptions plan_candidate(const Candidate&);

// Options of a callable or a workload, which a model does not have.
void refuse_callable_options(const Options&, const char* instead);

}  // namespace strobe
