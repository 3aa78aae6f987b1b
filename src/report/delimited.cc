#include "report/delimited.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "report/search_answer.h"
#include "report/words.h"

namespace strobe {
namespace {

struct Line {
  std::string name;  // of the case; empty for the record's own metrics
  const std::string* metric;
  const Metric* values;
  std::string error;
};

void add_metrics(std::vector<Line>& lines, const std::string& name, const Metrics& metrics) {
  const std::size_t first = lines.size();
  for (const auto& [metric, values] : metrics) lines.push_back({name, &metric, &values, {}});
  std::stable_sort(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end(),
                   [](const Line& a, const Line& b) { return metric_order(*a.metric) < metric_order(*b.metric); });
}

std::vector<Line> lines_of(const Record& r) {
  std::vector<Line> lines;
  add_metrics(lines, "", r.metrics);
  for (const Case& c : r.cases) {
    if (c.error.empty())
      add_metrics(lines, c.name, c.metrics);
    else
      lines.push_back({c.name, nullptr, nullptr, c.error});
    for (const Stage& stage : c.stages) add_metrics(lines, fmt::format("{}: {}", c.name, stage.name), stage.metrics);
  }
  return lines;
}

// Quoted where commas, quotes or line ends would break the row (RFC 4180). A cell that a spreadsheet would take for a
// formula is quoted with an apostrophe before it.
std::string cell(std::string text) {
  if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos) text.insert(0, "'");
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string number(std::optional<double> x) {
  return x ? fmt::format("{:.6g}", *x) : "";
}

std::string row_of(const Record& r, const Line& l) {
  const std::string begin = cell(r.model.name) + "," + cell(l.name) + ",";
  if (!l.values) return begin + ",,,,,,,,,," + cell(l.error) + "\n";
  const Metric& m = *l.values;
  if (!m.known()) return begin + fmt::format("{},,,,,,,,,,{}\n", *l.metric, cell(m.unknown));
  return begin + fmt::format("{},{},{},{},{},{},{},{},{},{},\n", *l.metric, m.unit, m.n, number(m.n_eff),
                             number(m.median.value), number(m.median.low), number(m.median.high),
                             m.mean ? number(m.mean->value) : "", m.max == 0 ? "" : number(m.min),
                             m.max == 0 ? "" : number(m.max));
}

// What a search found, as rows like those of metrics.
std::string search_rows(const Record& r) {
  const auto row = [&](std::string_view name, std::string_view unit, const std::string& value,
                       const std::string& remark) {
    return fmt::format("{},,{},{},,,{},,,,,,{}\n", cell(r.model.name), name, unit, value, remark);
  };
  std::string text;
  for (const AnswerNumber& n : search_numbers(r)) text += row(n.name, "items", std::to_string(n.value), "");
  const auto bound = bound_outcome(r);
  if (bound == "cannot-tell") return text + row("bound_met", "", "", *bound);
  return bound ? text + row("bound_met", "", bound == "met" ? "1" : "0", "") : text;
}

// Text from outside must not end the table or start markup.
std::string escaped_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("|<>*_`[]\\").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

}  // namespace

std::string csv_of(std::span<const Record> records) {
  std::string text = "model,case,metric,unit,n,n_eff,median,low,high,mean,min,max,error\n";
  for (const Record& r : records) {
    text += search_rows(r);
    for (const Line& l : lines_of(r)) text += row_of(r, l);
  }
  return text;
}

std::string render_markdown(const Record& r, const RenderOptions&) {
  std::string text = fmt::format("### {}\n\n", escaped_cell(r.model.name.empty() ? r.verb : r.model.name));
  text += fmt::format("verdict: **{}** · {} · strobe {}\n\n", name(r.verdict),
                      escaped_cell(r.device.name.empty() ? "this machine" : r.device.name), r.strobe.version);
  if (const std::string found = search_sentence(r); !found.empty()) text += escaped_cell(found) + "\n\n";
  const bool cases = !r.cases.empty();
  text += cases ? "| case | metric | median | 95 % interval | n |\n|---|---|---:|---|---:|\n"
                : "| metric | median | 95 % interval | n |\n|---|---:|---|---:|\n";
  for (const Line& l : lines_of(r)) {
    std::string row = cases ? fmt::format("| {} ", escaped_cell(l.name)) : "";
    if (!l.values || !l.values->known()) {
      row += fmt::format("| {} | | {} | |\n", l.metric ? *l.metric : "",
                         escaped_cell(l.values ? l.values->unknown : l.error));
    } else {
      const Figure f = figure(l.values->median, l.values->unit);
      row += fmt::format("| {} | {} {} | {} | {} |\n", *l.metric, f.number, f.unit, escaped_cell(f.interval),
                         format_count(l.values->n));
    }
    text += row;
  }
  if (!r.findings.empty()) text += "\n";
  for (const Finding& f : r.findings)
    text +=
        fmt::format("- **{}** ({}): {}. {}\n", f.id, name(f.severity), escaped_cell(f.message), escaped_cell(f.advice));
  return text;
}

}  // namespace strobe
