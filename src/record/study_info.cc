// SPDX-License-Identifier: Apache-2.0
#include "record/study_info.h"

#include <algorithm>
#include <array>

#include "record/metric_names.h"

namespace strobe {
namespace {

constexpr std::array kStudies{
    StudyInfo{.verb = verb::run, .stands = true},
    StudyInfo{.verb = verb::methods,
              .stands = true,
              .advice = {.more_time = "Give it more time (--max-time), or take fewer --requests."}},
    StudyInfo{.verb = verb::throughput,
              .answer = Answer::rate,
              .varies_batch = true,
              .stands = true,
              .no_sweep = "a search is more than one result",
              .advice = {.more_time = "Give each trial more time (--effort standard), or use a quieter machine."}},
    StudyInfo{.verb = verb::compare,
              .answer = Answer::ratio,
              .judged = false,
              .no_sweep = "a comparison is more than one result; --vary makes a candidate of each value"},
    StudyInfo{.verb = verb::pipeline,
              .by_latency = true,
              .stands = true,
              .advice = {.more_samples = "Raise --iterations or --rounds.",
                         .more_time = "Give it more time (--max-time), or take fewer rounds."}},
    StudyInfo{.verb = verb::profile,
              .stands = true,
              .no_sweep = "a profile is more than one result",
              .advice = {.more_time = "Give it more time (--max-time), or take fewer --requests."}},
    StudyInfo{.verb = verb::memory,
              .answer = Answer::amount,
              .stands = true,
              .no_sweep = "what memory goes to is more than one result",
              .advice = {.more_time = "Give it more time (--max-time), or take fewer --requests."}},
    StudyInfo{
        .verb = verb::audit,
        .foreign = true,
        .advice = {.more_samples = "Measure more requests.", .warm_up = "Leave them out, as the result above does."}},
    StudyInfo{
        .verb = verb::doctor, .answer = Answer::checks, .judged = false, .no_sweep = "there is nothing to measure"},
    StudyInfo{.verb = verb::selftest,
              .answer = Answer::checks,
              .judged = false,
              .no_sweep = "a self-test is more than one result"},
    StudyInfo{.verb = verb::measure, .stands = true},
};

constexpr StudyInfo kUnknownStudy{};

}  // namespace

std::span<const StudyInfo> all_studies() {
  return kStudies;
}

const StudyInfo& study_info(std::string_view verb) {
  const auto it = std::find_if(kStudies.begin(), kStudies.end(), [&](const StudyInfo& s) { return s.verb == verb; });
  return it == kStudies.end() ? kUnknownStudy : *it;
}

const StudyInfo& study_info(const Record& r) {
  return study_info(r.verb);
}

const char* answer_metric(const StudyInfo& s) {
  return s.answer == Answer::rate ? metric::throughput : s.answer == Answer::amount ? metric::memory : metric::latency;
}

bool compares_candidates(const Record& r) {
  return study_info(r).answer == Answer::ratio && !r.comparisons.empty();
}

}  // namespace strobe
