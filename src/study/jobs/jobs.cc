// SPDX-License-Identifier: Apache-2.0
#include "study/jobs/jobs.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "base/build_info.h"
#include "base/parse.h"
#include "base/printable.h"
#include "host/interrupt.h"
#include "study/clock_hold.h"
#include "study/compare/candidate.h"
#include "study/memory/memory_options.h"
#include "study/pipeline/pipeline_options.h"
#include "study/profile/profile_options.h"
#include "study/search/trial.h"
#include "study/worker.h"
#include "study/worker_options.h"

namespace strobe {
namespace {

using Json = nlohmann::json;

bool interrupted() {
  return Interrupt::requested();
}

void pass_on(const std::string& line) {
  fmt::print(stderr, "strobe: {}\n", printable(trim(line)));
}

// One of the launches of `run`.
void measure_once(const Json& options, std::istream&, std::ostream& answers) {
  RunOptions o = run_options(options);
  o.measure.stop = interrupted;
  o.open.log = pass_on;
  answers << record_line(run(o)) << std::flush;
}

// One of the launches of `methods`.
void read_by_methods(const Json& options, std::istream&, std::ostream& answers) {
  MethodsPlan o = methods_options(options);
  o.stop = interrupted;
  o.open.log = pass_on;
  answers << record_line(compare_methods(o)) << std::flush;
}

// One of the launches of `pipeline`.
void time_pipeline(const Json& options, std::istream&, std::ostream& answers) {
  PipelineStudy o = pipeline_options(options);
  o.how.stop = interrupted;
  o.log = pass_on;
  answers << record_line(study_pipeline(o)) << std::flush;
}

// One of the launches of `profile`.
void profile_once(const Json& options, std::istream&, std::ostream& answers) {
  ProfilePlan p = profile_options(options);
  p.how.stop = interrupted;
  p.open.log = pass_on;
  answers << record_line(profile_launch(p)) << std::flush;
}

// One of the launches of `memory`.
void look_at_memory(const Json& options, std::istream&, std::ostream& answers) {
  MemoryPlan p = memory_options(options);
  p.how.stop = interrupted;
  p.open.log = pass_on;
  answers << record_line(memory_launch(p)) << std::flush;
}

// One point of a search.
void try_one(const Json& options, std::istream&, std::ostream& answers) {
  answers << record_line(run_trial(run_options(options).open, trial_of(options.at("trial")), interrupted))
          << std::flush;
}

// One side of a comparison, until the questions end.
void take_turns(const Json& options, std::istream& questions, std::ostream& answers) {
  CandidateOptions o;
  o.run = run_options(options);
  o.run.measure.stop = interrupted;
  serve_candidate(o, questions, answers);
}

struct JobRow {
  std::string_view name;
  void (*run)(const Json& options, std::istream&, std::ostream& answers);
};

constexpr std::array kJobs{JobRow{kRunJob, measure_once},       JobRow{kMethodsJob, read_by_methods},
                           JobRow{kPipelineJob, time_pipeline}, JobRow{kProfileJob, profile_once},
                           JobRow{kMemoryJob, look_at_memory},  JobRow{kTrialJob, try_one},
                           JobRow{kTurnsJob, take_turns},       JobRow{kClockJob, guard_clock}};

// The program in PATH may belong to another library than the one that asks.
void check_build(const std::string& asking) {
  if (asking != kBuildId)
    throw Error(ErrorCode::unsupported, "cannot run a worker",
                fmt::format("the program 'strobe' is of the build {}, the library of {}", kBuildId,
                            asking.empty() ? "another one" : asking),
                "Set STROBE_PROGRAM to the program that was installed with the library.");
}

const JobRow& job_named(const std::string& name) {
  const auto it = std::find_if(kJobs.begin(), kJobs.end(), [&](const JobRow& row) { return row.name == name; });
  if (it == kJobs.end()) throw Error(ErrorCode::usage, fmt::format("there is no job '{}'", name.substr(0, 40)));
  return *it;
}

}  // namespace

void serve_job(const Json& asked, std::istream& questions, std::ostream& answers) {
  if (!asked.is_object() || !asked.contains("job"))
    throw Error(ErrorCode::usage, "'strobe worker' takes jobs from strobe itself", {}, "Use another verb.");
  try {
    check_build(asked.value("build", ""));  // first: another build may speak otherwise
    job_named(asked.at("job")).run(asked.at("options"), questions, answers);
  } catch (const Error& e) {
    answers << error_line(e) << std::flush;
  } catch (const std::bad_alloc&) {
    answers << error_line(Error(ErrorCode::out_of_memory, "out of memory")) << std::flush;
  } catch (const std::exception& e) {
    answers << error_line(Error(ErrorCode::failed, "cannot go on", e.what())) << std::flush;
  }
}

}  // namespace strobe
