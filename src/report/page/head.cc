// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include "record/names.h"
#include "record/study_info.h"
#include "report/page/headline.h"
#include "report/page/sections.h"
#include "report/verdict_sentence.h"
#include "report/words.h"

namespace strobe::page {
namespace {

// Circle with a tick, triangle with a mark, octagon with a cross: told apart without colour. In the order of Verdict.
constexpr std::array<std::string_view, 3> kIcons{
    R"(<circle cx="12" cy="12" r="10"/><path d="M7 12.5l3.5 3.5L17 8.5"/>)",
    R"(<path d="M12 2.5L22.5 21h-21z"/><path d="M12 9v6M12 17.6v.6"/>)",
    R"(<path d="M8 2h8l6 6v8l-6 6H8l-6-6V8z"/><path d="M8.5 8.5l7 7M15.5 8.5l-7 7"/>)",
};

// In the order of Status.
constexpr std::array<std::string_view, 4> kStatuses{"converged: measured until the result was certain enough",
                                                    "not converged", "measured as much as was asked for", ""};

// How long it was measured, and why it ended; an interruption is in the verdict's sentence.
std::string status_text(const Record& r) {
  const bool measured = study_info(r).answer != Answer::checks;
  std::string status{kStatuses[static_cast<std::size_t>(r.status)]};
  if (!measured || status.empty()) return {};
  if (!r.status_reason.empty()) status += ": " + r.status_reason;
  return fmt::format(R"(<p class="aside">{}</p>)", escaped(status).text);
}

std::string verdict_box(const Record& r) {
  return fmt::format(
      R"(<div class="verdict {0}"><p class="aside">verdict</p><p class="word"><svg viewBox="0 0 24 24" fill="none" )"
      R"(stroke="currentColor" stroke-width="2.2" aria-hidden="true">{1}</svg><span data-verdict="{0}">{0}</span></p>)"
      R"(<p class="reason">{2}</p>{3}</div>)",
      name(r.verdict), kIcons[static_cast<std::size_t>(r.verdict)], unbroken(verdict_reason(r)).text, status_text(r));
}

}  // namespace

std::string head_section(const Record& r, const Outline& o) {
  return fmt::format("<header>{}<p class=\"subject\">{}</p></header>\n<div class=\"hero\">{}{}</div>\n",
                     o.heading(0, name_of(r)), escaped(fmt::format("{}", fmt::join(subject(r), " · "))).text,
                     figure_box(r), verdict_box(r));
}

}  // namespace strobe::page
