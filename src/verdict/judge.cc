// SPDX-License-Identifier: Apache-2.0
#include "verdict/judge.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "record/metric_names.h"
#include "record/study_info.h"
#include "verdict/standing.h"

namespace strobe {
namespace {

constexpr Traits kOfTheDoctor{.of_the_machine = true, .of_a_measurement = false};

constexpr Traits kOfTheInterval{.within_launch = true, .of_interval = true};

constexpr std::array kDetectors{
    Detector{"no-sample", no_sample},
    Detector{"one-sample", one_sample},
    Detector{"too-few-samples", too_few_samples, kOfTheInterval},
    Detector{"not-converged", not_converged, kOfTheInterval},
    Detector{"no-warm-up", no_warm_up, {.within_launch = true, .sign = "bias"}},
    Detector{"drift", drift, {.within_launch = true, .sign = "drift"}},
    Detector{"level-shift", level_shift, {.within_launch = true, .sign = "shift"}},
    Detector{"bimodal", bimodal, {.within_launch = true}},
    Detector{"outliers", outliers, kOfTheInterval},
    Detector{"autocorrelated", autocorrelated, kOfTheInterval},
    Detector{"pass-coupling", pass_coupling, {.within_launch = true, .sign = "coupling"}},
    Detector{"timer-resolution", timer_resolution, {.survives_turns = true}},
    Detector{"empty-callable", empty_callable, {.survives_turns = true}},
    Detector{"marks-cost", marks_cost, {.hits = Hits::device_time}},
    Detector{"disturbed", disturbed, {.of_all = true}},
    Detector{"one-pass", one_pass, {.survives_turns = true}},
    Detector{"work-escaped", work_escaped, {.survives_turns = true}},
    Detector{"gate-unsafe", gate_unsafe, {.survives_turns = true, .hits = Hits::device_time}},
    Detector{"gate-leak", gate_leak, {.survives_turns = true, .hits = Hits::device_time}},
    Detector{"same-input", same_input, {.doubts_inputs = true}},
    Detector{"low-entropy-input", low_entropy_input, {.doubts_inputs = true}},
    Detector{"small-integers", small_integers, {.survives_turns = true}},
    Detector{"odd-values", odd_values, {.doubts_inputs = true}},
    Detector{"output-mismatch", output_mismatch, {.survives_turns = true}},
    Detector{"equal-outputs", equal_outputs},
    Detector{"wrong-output", wrong_output},
    Detector{"trials-disagree", trials_disagree},
    Detector{"loads-inside-timing", loads_inside_timing, {.within_launch = true, .hits = Hits::host}},
    Detector{"page-faults", page_faults, {.within_launch = true, .hits = Hits::host}},
    Detector{"preempted", preempted, {.within_launch = true, .hits = Hits::host}},
    Detector{"cpu-limited", cpu_limited, {.within_launch = true, .hits = Hits::host}},
    Detector{"noisy-host", noisy_host, {.within_launch = true, .hits = Hits::host, .of_the_machine = true}},
    Detector{"one-launch", one_launch, {.of_one_launch = true}},
    Detector{"debug-build", debug_build, {.survives_turns = true}},
    Detector{"governor", governor, {.hits = Hits::host, .of_the_machine = true}},
    Detector{"impossible", impossible, {.survives_turns = true}},
    Detector{"throttled", throttled, {.within_launch = true, .hits = Hits::device}},
    Detector{"clock-not-held", clock_not_held, {.hits = Hits::device}},
    Detector{"clocks-differ", clocks_differ, {.within_launch = true, .of_interval = true, .hits = Hits::device}},
    Detector{"profiler-attached", profiler_attached, {.survives_turns = true, .of_the_machine = true}},
    Detector{"lost-records", lost_records, {.of_all = true}},
    Detector{"another-profiler", another_profiler, {.of_all = true}},
    Detector{"kernel-list-differs", kernel_list_differs, {.of_all = true}},
    Detector{"other-process", other_process, {.hits = Hits::device, .of_the_machine = true}},
    Detector{"shared-gpu", shared_gpu, {.hits = Hits::device, .of_the_machine = true}},
    Detector{"other-device", other_device},
    Detector{"energy-windows", energy_windows, {.of_all = true}},
    Detector{"energy-shared", energy_shared},
    Detector{"energy-baseline", energy_baseline, {.of_all = true}},
    Detector{"power-limit", power_limit, {.hits = Hits::device, .of_the_machine = true}},
    Detector{"persisting-cache", persisting_cache, {.of_the_machine = true}},
    Detector{"numa-remote", numa_remote, {.hits = Hits::host}},
    Detector{"host-bound", host_bound, {.hits = Hits::host}},
    Detector{"slow-stream", slow_stream, {.of_all = true}},
    Detector{"slow-after-pause", slow_after_pause},
    Detector{"power-capped", power_capped, {.hits = Hits::device}},
    Detector{"allocates-inside-timing", allocates_inside_timing},
    Detector{"reduced-math", reduced_math},
    Detector{"cpu-fallback", cpu_fallback},
    Detector{"pageable-copy", pageable_copy},
    Detector{"training-mode", training_mode},
    Detector{"autograd-on", autograd_on},
    Detector{"cudnn-benchmark", cudnn_benchmark},
    Detector{"compiled-meanwhile", compiled_meanwhile},
    Detector{"allocator-retries", allocator_retries, {.hits = Hits::device_time}},
    Detector{"other-threads", other_threads, {.hits = Hits::host}},
    Detector{"memory-grows", memory_grows, {.within_launch = true}},
    Detector{"stage-waits", stage_waits},
    Detector{"copy-inside-timing", copies_inside_reading},
    Detector{"host-bound", submit_fills_span, {.hits = Hits::host}},
    Detector{"load", load, kOfTheDoctor},
    Detector{"cgroup-quota", cgroup_quota, kOfTheDoctor},
    Detector{"virtual-machine", virtual_machine, kOfTheDoctor},
    Detector{"smt", smt, kOfTheDoctor},
    Detector{"persistence", persistence, kOfTheDoctor},
    Detector{"swapped-out", swapped_out, kOfTheDoctor},
    Detector{"small-shared-memory", small_shared_memory, kOfTheDoctor},
    Detector{"huge-pages", huge_pages, kOfTheDoctor},
};

constexpr std::array kCaseDetectors{
    CaseDetector{"unsynchronized", unsynchronized}, CaseDetector{"queue-full", queue_full},
    CaseDetector{"no-warm-up", no_warm_up},         CaseDetector{"copy-inside-timing", copy_inside_timing},
    CaseDetector{"host-bound", kernel_launch_gaps}, CaseDetector{"cache-hot", cache_hot},
    CaseDetector{"same-input", same_input},
};

// What the metric's own interval admits anyway.
double tolerance_of(const Metric* m) {
  constexpr double kLeast = 0.01;
  return std::max(kLeast, m ? m->estimate.relative_half_width().value_or(0) : 0);
}

// What a sweep, repeated launches, a comparison or a check of the machine say does not come from detectors.
bool says_more_than_detectors(const Record& r) {
  const bool swept = r.metrics.empty() && !r.cases.empty();
  return !study_info(r).judged || !r.launches.empty() || swept;
}

std::vector<Finding> findings_by(const Record& r, bool (*asked)(const Traits&)) {
  std::vector<Finding> findings;
  for (const Detector& d : kDetectors) {
    if (asked(d.traits)) std::ranges::move(d.detect(r), std::back_inserter(findings));
  }
  return findings;
}

}  // namespace

std::vector<Finding> Detect::operator()(const Record& r) const {
  if (in_metrics_) return in_metrics_(r);
  auto finding = in_record_(r);
  return finding ? std::vector{std::move(*finding)} : std::vector<Finding>();
}

void sort_findings(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
}

std::span<const Detector> detectors() {
  return kDetectors;
}
std::span<const CaseDetector> case_detectors() {
  return kCaseDetectors;
}

Traits traits_of(const Finding& f) {
  const auto it = std::find_if(kDetectors.begin(), kDetectors.end(), [&](const Detector& d) { return d.id == f.id; });
  return it == kDetectors.end() ? Traits{} : it->traits;
}

bool doubts_inputs(const Record& r) {
  return !findings_by(r, [](const Traits& t) { return t.doubts_inputs; }).empty();
}

double tolerance(const Record& r, std::string_view metric) {
  const Metric* m = r.find(metric);
  if (!m && metric.empty()) m = r.headline() ? r.headline() : r.find(metric::throughput);
  return tolerance_of(m);
}

Severity by_effect(double effect, const Metric& m) {
  return effect > tolerance_of(&m) ? Severity::warning : Severity::note;
}

Severity by_effect(double effect, const Record& r, std::string_view metric) {
  return effect > tolerance(r, metric) ? Severity::warning : Severity::note;
}

Severity by_effect_on_host(double effect, const Record& r) {
  double least = tolerance(r);
  for (const std::string_view name : {metric::submit, metric::throughput}) {
    const Metric* m = r.find(name);
    if (m && m->estimate.bounded() && concerns(Hits::host, name, r)) least = std::min(least, tolerance(r, name));
  }
  return effect > least ? Severity::warning : Severity::note;
}

Verdict verdict_of(std::span<const Finding> findings) {
  Verdict verdict = Verdict::trusted;
  for (const Finding& f : findings) {
    if (f.about == About::workload) continue;
    if (f.severity == Severity::warning) verdict = std::max(verdict, Verdict::caution);
    if (f.severity == Severity::invalid) verdict = Verdict::invalid;
  }
  return verdict;
}

// Findings of cases explain their readings; the record has the verdict of its references.
void apply_detectors(Record& record) {
  record.findings = findings_by(record, [](const Traits& t) { return t.of_a_measurement; });
  for (Case& c : record.cases) {
    c.findings.clear();
    if (!c.error.empty()) continue;
    for (const CaseDetector& d : kCaseDetectors) {
      if (auto finding = d.detect(record, c)) c.findings.push_back(std::move(*finding));
    }
    sort_findings(c.findings);
  }
  record.verdict = verdict_of(record.findings);
  sort_findings(record.findings);
  if (study_info(record).stands) tell_standings(record, {});
}

void judge(Record& record) {
  if (!says_more_than_detectors(record)) apply_detectors(record);
}

std::vector<Finding> examine(const Record& record) {
  std::vector<Finding> findings = findings_by(record, [](const Traits& t) { return t.of_the_machine; });
  sort_findings(findings);
  return findings;
}

}  // namespace strobe
