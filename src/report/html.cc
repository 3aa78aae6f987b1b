// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/format.h"
#include "record/names.h"
#include "report/page/headline.h"
#include "report/page/sections.h"
#include "report/page/style.h"
#include "report/words.h"

namespace strobe {
namespace {

using namespace page;

// What its own part of the page leads with.
std::string answer_of(const Record& r) {
  const auto h = headline_of(r);
  if (!h) return {};
  return fmt::format("{}: <b>{}</b> {}", escaped(h->label).text, h->figure.text, h->interval.text);
}

std::string contents(std::span<const Record> records) {
  std::string list;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Record& r = records[i];
    list += fmt::format(R"(<li><a href="#part-{}">{}</a>, {}. {} <span class="aside">{}</span>)", i + 1,
                        escaped(name_of(r)).text, escaped(r.verb).text, answer_of(r), name(r.verdict));
    if (!r.command.empty())
      list += fmt::format("<br><code>{}</code>", escaped(fmt::format("{}", fmt::join(r.command, " "))).text);
    list += "</li>";
  }
  return fmt::format("<header><h1>{} records</h1></header><nav aria-label=\"Records\"><ol>{}</ol></nav>",
                     records.size(), list);
}

std::string part(const Record& r, Outline& o, int number) {
  return fmt::format("<article class=\"record\" id=\"part-{0}\" data-part=\"{0}\">", number) + head_section(r, o) +
         pictures_section(r, o) + findings_section(r, o) + study_section(r, o) + figures_section(r, o) +
         series_section(r, o) + environment_section(r, o) + record_section(r, o, number) + "</article>\n";
}

}  // namespace

std::string html_of(std::span<const Record> records) {
  const bool several = records.size() > 1;
  const std::string title = several ? fmt::format("{} records", records.size())
                                    : fmt::format("{}: {}", name_of(records[0]), name(records[0].verdict));
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      // Nothing may be fetched, whatever a record holds.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src "
      "'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"generator\" "
      "content=\"strobe\">\n"
      "<title>{} · strobe</title>\n<style>{}</style></head>\n<body><main>\n",
      escaped(title).text, kStyle);
  if (several) out += contents(records);
  Outline outline{.level = several ? 2 : 1};
  for (std::size_t i = 0; i < records.size(); ++i) out += part(records[i], outline, static_cast<int>(i) + 1);
  return out + fmt::format("</main>\n<script>{}{}</script></body></html>\n", kScript, kZoomScript);
}

std::string html(const Record& r) {
  return html_of({&r, 1});
}

}  // namespace strobe
