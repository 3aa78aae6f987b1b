// SPDX-License-Identifier: Apache-2.0
#include "report/page/markup.h"

#include <fmt/format.h>

#include "base/format.h"
#include "report/words.h"

namespace strobe::page {
namespace {

std::string_view replacement(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == '\x7f';
}

std::string_view alignment(const Cells& table, std::size_t column) {
  return column < table.alignment.size() && table.alignment[column] == 'r' ? " class=\"r\"" : "";
}

}  // namespace

Html escaped(std::string_view text) {
  Html out;
  for (const char c : text) {
    const std::string_view safe = replacement(c);
    if (is_control(c))
      out.text += "\xef\xbf\xbd";  // U+FFFD: HTML has no place for control characters
    else if (safe.empty())
      out.text += c;
    else
      out.text += safe;
  }
  return out;
}

Html nowrap(std::string_view text) {
  return {"<span class=\"nowrap\">" + escaped(text).text + "</span>"};
}

Html unbroken(std::string_view text) {
  constexpr std::string_view kBreaks = " %", kHolds = "\u00a0%";
  Html out = escaped(text);
  for (std::size_t at = 0; (at = out.text.find(kBreaks, at)) != std::string::npos; at += kHolds.size())
    out.text.replace(at, kBreaks.size(), kHolds);
  return out;
}

std::string embedded_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')  // in JSON it stands in texts only
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

Html number(double value, std::string_view metric, std::string_view field, std::string_view shown) {
  return {fmt::format(R"(<data value="{}" data-metric="{}" data-field="{}">{}</data>)", value, escaped(metric).text,
                      escaped(field).text, escaped(shown).text)};
}

Html interval(const Estimate& e, std::string_view metric, std::string_view field, std::string_view unit) {
  const Figure shown = figure(e, unit);
  if (shown.interval.empty()) return {};
  const auto side = [&](std::optional<double> x, const char* name, const std::string& text) {
    return x ? number(*x, metric, fmt::format("{}.{}", field, name), text).text : escaped(text).text;
  };
  return {fmt::format("<span class=\"nowrap\">[{}, {}]</span>", side(e.low, "low", shown.low),
                      side(e.high, "high", shown.high))};
}

std::string render(const Cells& table) {
  std::string out =
      fmt::format(R"(<div class="scroll" tabindex="0" role="region" aria-label="{0}"><table><caption>{0}</caption>)",
                  escaped(table.caption).text);
  if (!table.head.empty()) {
    out += "<thead><tr>";
    for (std::size_t i = 0; i < table.head.size(); ++i)
      out += fmt::format(R"(<th scope="col"{}>{}</th>)", alignment(table, i), escaped(table.head[i]).text);
    out += "</tr></thead>";
  }
  out += "<tbody>";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += i == 0 ? fmt::format(R"(<th scope="row">{}</th>)", row[i].text)
                    : fmt::format("<td{}>{}</td>", alignment(table, i), row[i].text);
    }
    out += "</tr>";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace strobe::page
