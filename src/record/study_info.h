// SPDX-License-Identifier: Apache-2.0
// What Strobe knows of each verb that makes records: one row of one table. What is judged, what can be swept, what kind
// of answer there is and what a user of the verb can do about doubt come from here; nothing else asks for a verb by its
// name. How a record of a verb looks is in report/study_view.h.
#pragma once

#include <span>
#include <string_view>

#include <strobe/record.h>

namespace strobe {

// Their names, in records and on the command line; `measure` is the library's own, for callables.
namespace verb {
inline constexpr std::string_view run = "run", methods = "methods", throughput = "throughput", compare = "compare",
                                  pipeline = "pipeline", profile = "profile", memory = "memory", audit = "audit",
                                  doctor = "doctor", selftest = "selftest", measure = "measure";
}

// What a reader takes away.
enum class Answer {
  time,    // of one request or iteration
  rate,    // of the best point that a search found
  ratio,   // of candidates
  amount,  // of memory
  checks,  // of the machine or of Strobe itself: nothing is measured
};

// What to do about doubt, in words that fit the options of the verb.
struct StudyAdvice {
  std::string_view more_samples = "Raise --requests, or leave it out.";
  std::string_view more_time = "Give it more time (--max-time), or a quieter machine.";
  std::string_view warm_up = "Warm up for longer: raise --warmup, or take --effort sustained.";
};

struct StudyInfo {
  std::string_view verb;
  Answer answer = Answer::time;
  bool judged = true;           // by the detectors alone; otherwise the study knows more than they do
  bool foreign = false;         // the times are somebody else's: Strobe was not there
  bool varies_batch = false;    // no batch is the record's
  bool by_latency = false;      // its verdict is that of the latency, and of the throughput where there is one
  bool stands = false;          // each figure is told to repeat, to vary, or to be of one launch
  std::string_view no_sweep{};  // not empty: why it cannot be swept
  StudyAdvice advice{};
};

std::span<const StudyInfo> all_studies();

// Of a verb that this version does not know: what is true of most.
const StudyInfo& study_info(std::string_view verb);
const StudyInfo& study_info(const Record&);

// The metric that its answer is of, where that is one.
const char* answer_metric(const StudyInfo&);

// A pipeline has comparisons, too, but of the ways to time it: its answer is no ratio.
bool compares_candidates(const Record&);

}  // namespace strobe
