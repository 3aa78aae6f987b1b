// SPDX-License-Identifier: Apache-2.0
#include "report/text/verdict_text.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "record/names.h"
#include "report/causes.h"
#include "report/text/labels.h"
#include "report/text/table.h"
#include "report/verdict_sentence.h"

namespace strobe {
namespace {

std::string_view label_of(const Finding& f) {
  if (f.about == About::workload) return "advice";
  return name(f.severity);
}

std::string finding_line(const Finding& f, std::string_view also = {}) {
  return padded(label_of(f), kLabelWidth) + fmt::format("{}: {}. {}{}\n", f.id, f.message, f.advice, also);
}

std::string ids_of(const std::vector<const Finding*>& list) {
  std::vector<std::string_view> ids;
  for (const Finding* f : list) ids.push_back(f->id);
  return fmt::format("{}", fmt::join(ids, ", "));
}

std::string every_finding(const Record& r) {
  std::string text;
  for (const CauseGroup& g : by_cause(r.findings)) {
    for (const Finding* f : g.findings) text += finding_line(*f);
  }
  return text;
}

// Of a group that counts, its main finding speaks for the others.
std::string main_findings(const Record& r) {
  std::string text;
  std::vector<const Finding*> rest;
  for (const CauseGroup& g : by_cause(r.findings)) {
    if (g.cause == Cause::advice) {
      for (const Finding* f : g.findings) text += finding_line(*f);
    } else if (g.counts) {
      std::vector<const Finding*> others;
      std::partition_copy(g.findings.begin() + 1, g.findings.end(), std::back_inserter(others),
                          std::back_inserter(rest), [](const Finding* f) { return counts_for_verdict(*f); });
      text += finding_line(*g.findings.front(), others.empty() ? "" : fmt::format(" (Also: {}.)", ids_of(others)));
    } else {
      rest.insert(rest.end(), g.findings.begin(), g.findings.end());
    }
  }
  if (!rest.empty())
    text += padded(rest.size() == 1 ? "note" : "notes", kLabelWidth) + fmt::format("{} (--verbose)\n", ids_of(rest));
  return text;
}

}  // namespace

std::string verdict_lines(const Record& r, const RenderOptions& o, const Painter& p) {
  const std::string sentence = fmt::format("{}: {}", p.of(r.verdict, name(r.verdict)), verdict_reason(r));
  return padded("verdict", kLabelWidth) + sentence + "\n" + (o.verbose ? every_finding(r) : main_findings(r));
}

}  // namespace strobe
