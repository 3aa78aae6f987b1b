#include "verdict/judge.h"

#include <algorithm>

namespace strobe {

// A finding about the workload is advice: however slow a model is, its measurement may be sound.
void judge(Record& record) {
  record.findings.clear();
  record.verdict = Verdict::trusted;
  for (const Detector& d : detectors()) {
    if (auto finding = d.detect(record)) record.findings.push_back(std::move(*finding));
  }
  for (const Finding& f : record.findings) {
    if (f.about == About::workload) continue;
    if (f.severity == Severity::warning) record.verdict = std::max(record.verdict, Verdict::caution);
    if (f.severity == Severity::invalid) record.verdict = Verdict::invalid;
  }
  std::stable_sort(record.findings.begin(), record.findings.end(), [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
}

}  // namespace strobe
