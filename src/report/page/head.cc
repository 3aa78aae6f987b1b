#include <array>

#include <fmt/format.h>

#include "record/names.h"
#include "report/page/headline.h"
#include "report/page/sections.h"
#include "report/words.h"

namespace strobe::page {
namespace {

// What makes the verdict what it is: findings about the workload never count.
std::string reasons(const Record& r) {
  std::string ids;
  for (const Finding& f : r.findings) {
    if (f.about != About::workload && f.severity != Severity::note && ids.find(f.id) == std::string::npos)
      ids += (ids.empty() ? "" : ", ") + f.id;
  }
  return ids.empty() ? "" : ": " + ids;
}

struct VerdictWords {
  std::string_view icon, run, doctor, selftest;
};

// Circle with a tick, triangle with a mark, octagon with a cross: told apart without colour.
constexpr std::array kVerdicts{
    VerdictWords{R"(<circle cx="12" cy="12" r="10"/><path d="M7 12.5l3.5 3.5L17 8.5"/>)",
                 "Nothing was seen that could move the figure by more than its interval",
                 "Nothing here would spoil a measurement", "Every check passed"},
    VerdictWords{R"(<path d="M12 2.5L22.5 21h-21z"/><path d="M12 9v6M12 17.6v.6"/>)",
                 "Read the warnings before you use the figure", "Something here would spoil a measurement",
                 "Some checks are in doubt"},
    VerdictWords{R"(<path d="M8 2h8l6 6v8l-6 6H8l-6-6V8z"/><path d="M8.5 8.5l7 7M15.5 8.5l-7 7"/>)",
                 "Do not use the figure", "This machine cannot measure", "A check failed"},
};

// In the order of Status.
constexpr std::array<std::string_view, 4> kStatuses{"converged: measured until the figure was known well enough",
                                                    "not converged", "measured as much as was asked for",
                                                    "interrupted: this is what there was"};

std::string verdict_box(const Record& r) {
  const VerdictWords& w = kVerdicts[static_cast<std::size_t>(r.verdict)];
  const std::string_view sentence = r.verb == "doctor" ? w.doctor : r.verb == "selftest" ? w.selftest : w.run;
  std::string status{kStatuses[static_cast<std::size_t>(r.status)]};
  if (!r.status_reason.empty()) status += ": " + r.status_reason;
  return fmt::format(
      R"(<div class="verdict {0}"><p class="aside">verdict</p><p class="word"><svg viewBox="0 0 24 24" fill="none" )"
      R"(stroke="currentColor" stroke-width="2.2" aria-hidden="true">{1}</svg><span data-verdict="{0}">{0}</span></p>)"
      R"(<p>{2}{3}.</p><p class="aside">{4}</p></div>)",
      name(r.verdict), w.icon, sentence, escaped(reasons(r)).text, escaped(status).text);
}

}  // namespace

std::string head_section(const Record& r, const Outline& o) {
  return fmt::format("<header>{}<p class=\"subject\">{}</p></header>\n<div class=\"hero\">{}{}</div>\n",
                     o.heading(0, name_of(r)), escaped(fmt::format("{}", fmt::join(subject(r), " · "))).text,
                     figure_box(r), verdict_box(r));
}

}  // namespace strobe::page
