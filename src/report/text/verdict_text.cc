// SPDX-License-Identifier: Apache-2.0
#include "report/text/verdict_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "record/names.h"
#include "report/causes.h"
#include "report/finding_lines.h"
#include "report/text/labels.h"
#include "report/text/table.h"
#include "report/verdict_sentence.h"

namespace strobe {
namespace {

std::string_view label_of(const Finding& f) {
  if (f.about == About::workload) return "advice";
  return name(f.severity);
}

std::string line_text(const FindingLine& line, std::string_view also = {}) {
  const Finding& f = line.main();
  return padded(label_of(f), kLabelWidth) + fmt::format("{}: {}. {}{}\n", f.id, message_of(line), f.advice, also);
}

// Of several measurements many may have the same.
void add_id(std::string_view id, std::vector<std::string_view>& ids) {
  if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
}

std::string every_finding(const Record& r) {
  std::string text;
  for (const CauseGroup& g : by_cause(r.findings)) {
    for (const FindingLine& line : finding_lines(g.findings, r)) text += line_text(line);
  }
  return text;
}

// Of a group that counts, its main finding speaks for the others.
std::string main_findings(const Record& r) {
  std::string text;
  std::vector<std::string_view> notes;
  for (const CauseGroup& g : by_cause(r.findings)) {
    const std::vector<FindingLine> lines = finding_lines(g.findings, r);
    std::vector<std::string_view> others;
    for (const FindingLine& line : lines) {
      if (g.cause == Cause::advice)
        text += line_text(line);
      else if (!g.counts || &line != &lines.front())
        add_id(line.main().id, counts_for_verdict(line.main()) ? others : notes);
    }
    if (g.counts)
      text += line_text(lines.front(), others.empty() ? "" : fmt::format(" (Also: {}.)", fmt::join(others, ", ")));
  }
  if (!notes.empty())
    text += padded(notes.size() == 1 ? "note" : "notes", kLabelWidth) +
            fmt::format("{} (--verbose)\n", fmt::join(notes, ", "));
  return text;
}

}  // namespace

std::string verdict_lines(const Record& r, const RenderOptions& o, const Painter& p) {
  const std::string sentence = fmt::format("{}: {}", p.of(r.verdict, name(r.verdict)), verdict_reason(r));
  return padded("verdict", kLabelWidth) + sentence + "\n" + (o.verbose ? every_finding(r) : main_findings(r));
}

}  // namespace strobe
