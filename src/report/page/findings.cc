// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <set>

#include <fmt/format.h>

#include "record/names.h"
#include "report/causes.h"
#include "report/finding_lines.h"
#include "report/page/sections.h"

namespace strobe::page {
namespace {

struct FindingWords {
  std::string_view style, tag;
};

FindingWords words_for(const Finding& f) {
  if (f.about == About::workload) return {"note", "→ advice"};
  constexpr std::array kBySeverity{FindingWords{"note", "● note"}, FindingWords{"warning", "▲ warning"},
                                   FindingWords{"bad", "✖ invalid"}};
  return kBySeverity[static_cast<std::size_t>(f.severity)];
}

std::string finding_item(const FindingLine& line) {
  const Finding& f = line.main();
  return fmt::format(R"(<li><span class="tag">{}: {}</span> <span>{}.</span> <span class="aside">{}</span></li>)",
                     words_for(f).tag, escaped(f.id).text, escaped(message_of(line)).text, escaped(f.advice).text);
}

std::string list_of(const std::string& items) {
  return items.empty() ? "" : "<ul>" + items + "</ul>";
}

// One of each kind, the one that matters most; a sweep has the same doubt about many of its points.
std::string items_of(const std::vector<FindingLine>& lines) {
  std::set<std::string_view> seen;
  std::string first, again;
  std::size_t more = 0;
  for (const FindingLine& line : lines) {
    const bool known = !seen.insert(line.main().id).second;
    (known ? again : first) += finding_item(line);
    more += known;
  }
  if (more == 1) return list_of(first + again);
  if (!again.empty())
    again = fmt::format(R"(<details class="print"><summary>{} more like these</summary>{}</details>)", more,
                        list_of(again));
  return list_of(first) + again;
}

std::string group_card(const CauseGroup& g, const Record& r, const Outline& o) {
  const std::string size = g.counts && g.effect ? (*g.effect > 1 ? ": " : ": up to ") + effect_text(*g.effect) : "";
  return fmt::format(R"(<div class="finding {}">{}{}</div>)", words_for(*g.findings.front()).style,
                     o.heading(2, capitalised(g.title) + size), items_of(finding_lines(g.findings, r)));
}

}  // namespace

std::string findings_section(const Record& r, const Outline& o) {
  if (r.findings.empty()) return {};
  std::string cards;
  for (const CauseGroup& g : by_cause(r.findings)) cards += group_card(g, r, o);
  return section(
      o, "Findings",
      "<div class=\"findings\">" + cards + "</div><p class=\"aside\">docs/findings.md has a section for each.</p>");
}

}  // namespace strobe::page
