#include <array>

#include <fmt/format.h>

#include "record/names.h"
#include "report/page/sections.h"

namespace strobe::page {
namespace {

constexpr std::size_t kMostFindings = 6;

struct FindingWords {
  std::string_view style, tag;
};

FindingWords words_for(const Finding& f) {
  if (f.about == About::workload) return {"note", "→ advice"};
  constexpr std::array kBySeverity{FindingWords{"note", "● note"}, FindingWords{"warning", "▲ warning"},
                                   FindingWords{"bad", "✖ invalid"}};
  return kBySeverity[static_cast<std::size_t>(f.severity)];
}

std::string finding_item(const Finding& f) {
  const FindingWords w = words_for(f);
  std::string out = fmt::format(
      R"(<li class="finding {}"><p><span class="tag">{}: {}</span> <span class="aside">about the {}</span></p><p>{}.</p>)",
      w.style, w.tag, escaped(f.id).text, name(f.about), escaped(f.message).text);
  if (!f.advice.empty()) out += fmt::format(R"(<p class="aside">{}</p>)", escaped(f.advice).text);
  return out + "</li>";
}

}  // namespace

std::string findings_section(const Record& r, const Outline& o) {
  if (r.findings.empty()) return {};
  std::string doubts, notes;
  std::size_t count = 0;
  for (const Finding& f : r.findings) {
    const bool note = f.about == About::workload || f.severity == Severity::note;
    (note ? notes : doubts) += finding_item(f);
    count += note;
  }
  const auto list = [](const std::string& items) {
    return items.empty() ? "" : fmt::format("<ul class=\"findings\">{}</ul>", items);
  };
  std::string out = "<section>" + o.heading(1, "Findings") + list(doubts);
  if (r.findings.size() > kMostFindings)  // a sweep repeats itself for each case
    out += fmt::format(R"(<details class="print"><summary>{} notes and pieces of advice</summary>{}</details>)", count,
                       list(notes));
  else
    out += list(notes);
  return out + "<p class=\"aside\">docs/findings.md has a section for each.</p></section>\n";
}

}  // namespace strobe::page
