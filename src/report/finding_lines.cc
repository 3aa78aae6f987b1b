// SPDX-License-Identifier: Apache-2.0
#include "report/finding_lines.h"

#include <algorithm>

#include <fmt/format.h>

#include "record/metric_info.h"
#include "report/causes.h"

namespace strobe {
namespace {

// Findings of one id in different metrics of one measurement.
bool belongs_to(const FindingLine& line, const Finding& f) {
  return line.main().id == f.id && !f.metric.empty() &&
         std::none_of(line.findings.begin(), line.findings.end(),
                      [&](const Finding* g) { return g->metric.empty() || g->metric == f.metric; });
}

// "device time +1.2 %": beside a main finding that counts, one that does not says so.
std::string beside(const Finding& main, const Finding& f) {
  const std::string change = change_text(f);
  return metric_label(f.metric) + (change.empty() ? "" : " ") + change +
         (counts_for_verdict(main) && !counts_for_verdict(f) ? " as a note" : "");
}

}  // namespace

std::vector<FindingLine> finding_lines(const std::vector<const Finding*>& findings, const Record& r) {
  const bool of_several = r.metrics.empty();
  std::vector<FindingLine> lines;
  for (const Finding* f : findings) {
    const auto line = std::find_if(lines.begin(), lines.end(),
                                   [&](const FindingLine& l) { return !of_several && belongs_to(l, *f); });
    if (line == lines.end())
      lines.push_back({{f}});
    else
      line->findings.push_back(f);
  }
  for (FindingLine& line : lines) std::stable_sort(line.findings.begin(), line.findings.end(), matters_more);
  return lines;
}

std::vector<FindingLine> finding_lines(const Record& r) {
  std::vector<const Finding*> all;
  for (const Finding& f : r.findings) all.push_back(&f);
  return finding_lines(all, r);
}

std::string message_of(const FindingLine& line) {
  std::vector<std::string> others;
  for (std::size_t i = 1; i < line.findings.size(); ++i) others.push_back(beside(line.main(), *line.findings[i]));
  if (others.empty()) return line.main().message;
  return fmt::format("{} (also {})", line.main().message, fmt::join(others, ", "));
}

}  // namespace strobe
