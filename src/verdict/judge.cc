#include "verdict/judge.h"

#include <algorithm>
#include <array>

namespace strobe {
namespace {

constexpr std::array kDetectors{
    Detector{"no-sample", no_sample},
    Detector{"one-sample", one_sample},
    Detector{"too-few-samples", too_few_samples},
    Detector{"not-converged", not_converged},
    Detector{"no-warm-up", no_warm_up},
    Detector{"drift", drift},
    Detector{"level-shift", level_shift},
    Detector{"bimodal", bimodal},
    Detector{"outliers", outliers},
    Detector{"autocorrelated", autocorrelated},
    Detector{"pass-coupling", pass_coupling},
    Detector{"timer-resolution", timer_resolution},
    Detector{"marks-cost", marks_cost},
    Detector{"disturbed", disturbed},
    Detector{"work-escaped", work_escaped},
    Detector{"gate-unsafe", gate_unsafe},
    Detector{"same-input", same_input},
    Detector{"low-entropy-input", low_entropy_input},
    Detector{"small-integers", small_integers},
    Detector{"odd-values", odd_values},
    Detector{"output-mismatch", output_mismatch},
    Detector{"equal-outputs", equal_outputs},
    Detector{"wrong-output", wrong_output},
    Detector{"trials-disagree", trials_disagree},
    Detector{"loads-inside-timing", loads_inside_timing},
    Detector{"page-faults", page_faults},
    Detector{"preempted", preempted},
    Detector{"cpu-limited", cpu_limited},
    Detector{"noisy-host", noisy_host},
    Detector{"one-launch", one_launch},
    Detector{"debug-build", debug_build},
    Detector{"governor", governor},
    Detector{"impossible", impossible},
    Detector{"throttled", throttled},
    Detector{"clocks-differ", clocks_differ},
    Detector{"profiler-attached", profiler_attached},
    Detector{"other-process", other_process},
    Detector{"shared-gpu", shared_gpu},
    Detector{"other-device", other_device},
    Detector{"power-limit", power_limit},
    Detector{"persisting-cache", persisting_cache},
    Detector{"numa-remote", numa_remote},
    Detector{"host-bound", host_bound},
    Detector{"power-capped", power_capped},
    Detector{"allocates-inside-timing", allocates_inside_timing},
    Detector{"reduced-math", reduced_math},
    Detector{"cpu-fallback", cpu_fallback},
    Detector{"pageable-copy", pageable_copy},
    Detector{"stage-waits", stage_waits},
};

constexpr std::array kCaseDetectors{
    CaseDetector{"unsynchronized", unsynchronized},
    CaseDetector{"no-warm-up", no_warm_up},
    CaseDetector{"copy-inside-timing", copy_inside_timing},
    CaseDetector{"host-bound", launch_gaps},
    CaseDetector{"cache-hot", cache_hot},
    CaseDetector{"same-input", same_input},
};

void sort(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
}

}  // namespace

std::span<const Detector> detectors() {
  return kDetectors;
}
std::span<const CaseDetector> case_detectors() {
  return kCaseDetectors;
}

double tolerance(const Record& r) {
  const Metric* m = r.headline() ? r.headline() : r.find("throughput");
  const auto width = m ? m->median.relative_half_width() : std::nullopt;
  return std::max(width.value_or(0), 0.01);
}

Severity by_effect(double effect, const Record& r) {
  return effect > tolerance(r) ? Severity::warning : Severity::note;
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
void judge(Record& record) {
  record.findings.clear();
  for (const Detector& d : kDetectors) {
    if (auto finding = d.detect(record)) record.findings.push_back(std::move(*finding));
  }
  for (Case& c : record.cases) {
    c.findings.clear();
    if (!c.error.empty()) continue;
    for (const CaseDetector& d : kCaseDetectors) {
      if (auto finding = d.detect(record, c)) c.findings.push_back(std::move(*finding));
    }
    sort(c.findings);
  }
  record.verdict = verdict_of(record.findings);
  sort(record.findings);
}

}  // namespace strobe
