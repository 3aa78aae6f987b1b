// SPDX-License-Identifier: Apache-2.0
#include "report/delimited.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "record/idle_words.h"
#include "record/metric_names.h"
#include "record/names.h"
#include "record/outcome_words.h"
#include "record/study_info.h"
#include "report/finding_lines.h"
#include "report/markdown_answer.h"
#include "report/method_errors.h"
#include "report/search_answer.h"
#include "report/standing_text.h"
#include "report/study_view.h"
#include "report/words.h"

namespace strobe {
namespace {

struct Line {
  std::string name;  // of the case; empty for the record's own metrics
  const std::string* metric = nullptr;
  const Metric* values = nullptr;
  std::string error = {};
  const ModelInfo* model = nullptr;
  const Case* method = nullptr;      // whose reading this is
  const IdleResult* idle = nullptr;  // of requests after these pauses
};

void add_metrics(std::vector<Line>& lines, const Line& like, const Metrics& metrics) {
  for (const auto* entry : in_order(metrics)) {
    Line& line = lines.emplace_back(like);
    line.metric = &entry->first;
    line.values = &entry->second;
  }
}

// A method's are among its cases.
std::span<const IdleResult> after_pauses(const Record& r) {
  return r.cases.empty() ? std::span(r.idle) : std::span<const IdleResult>();
}

std::vector<Line> lines_of(const Record& r) {
  std::vector<Line> lines;
  add_metrics(lines, {.name = "", .model = &r.model}, r.metrics);
  for (const IdleResult& i : after_pauses(r))
    add_metrics(lines, {.name = idle_label(i.pause_ns, i.random), .model = &r.model, .idle = &i}, i.metrics);
  for (const Case& c : r.cases) {
    const ModelInfo* model = c.model ? &*c.model : &r.model;
    if (c.error.empty())
      add_metrics(lines, {.name = c.name, .model = model, .method = &c}, c.metrics);
    else
      lines.push_back({.name = c.name, .error = c.error, .model = model});
    for (const Stage& stage : c.stages)
      add_metrics(lines, {.name = fmt::format("{}: {}", c.name, stage.name), .model = model}, stage.metrics);
  }
  return lines;
}

bool is_number(std::string_view text) {
  double x = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), x);
  return code == std::errc{} && end == text.data() + text.size();
}

// Quoted where commas, quotes or line ends would break the row (RFC 4180). A cell that a spreadsheet would take for a
// formula is quoted with an apostrophe before it; a negative number is none.
std::string cell(std::string text) {
  if (!text.empty() && !is_number(text) && std::string_view("=+-@").find(text.front()) != std::string_view::npos)
    text.insert(0, "'");
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string number(std::optional<double> x) {
  return x ? fmt::format("{:.6g}", *x) : "";
}

using Cell = std::function<std::string(const Record&, const Line&)>;
struct Column {
  std::string name;
  Cell cell;
};

// Of a figure: empty where there is none.
Cell of_metric(std::function<std::string(const Metric&)> text) {
  return [text = std::move(text)](const Record&, const Line& l) {
    return l.values && l.values->known() ? text(*l.values) : std::string();
  };
}

Cell of_pause(std::function<std::string(const IdleResult&)> text) {
  return [text = std::move(text)](const Record&, const Line& l) { return l.idle ? text(*l.idle) : std::string(); };
}

// Of the comparison of this case's medians with the first case's.
Cell of_comparison(std::function<std::string(const Comparison&)> text) {
  return [text = std::move(text)](const Record& r, const Line& l) {
    for (const Comparison& c : r.comparisons) {
      if (l.metric && c.b == l.name && c.metric == *l.metric && !c.percentile) return text(c);
    }
    return std::string();
  };
}

std::optional<MethodError> error_of_method(const Line& l) {
  return l.method && l.metric && *l.metric == metric::reading ? method_error(*l.method) : std::nullopt;
}

Cell of_method(std::function<std::string(const MethodError&)> text) {
  return [text = std::move(text)](const Record&, const Line& l) {
    const auto e = error_of_method(l);
    return e ? text(*e) : std::string();
  };
}

std::string conditions_of(const Record& r, const Line& l) {
  std::vector<std::string> all;
  for (const FailOn& f : r.fail_on) {
    if (l.metric && f.candidate == l.name && f.metric == *l.metric)
      all.push_back(fmt::format("{}: {}", f.condition, f.outcome));
  }
  return fmt::format("{}", fmt::join(all, "; "));
}

std::string error_of(const Record&, const Line& l) {
  return l.values ? l.values->unknown : l.error;
}

// Every percentile that any of the figures has.
std::vector<double> percentiles_in(std::span<const Record> records) {
  std::set<double> all;
  for (const Record& r : records) {
    for (const Line& l : lines_of(r)) {
      if (!l.values) continue;
      for (const Percentile& q : l.values->percentiles) all.insert(q.p);
    }
  }
  return {all.begin(), all.end()};
}

std::string percentile_cell(const Metric& m, double p) {
  for (const Percentile& q : m.percentiles) {
    if (q.p == p && q.estimate) return number(q.estimate->value);
  }
  return {};
}

bool times_by_methods(const Record& r) {
  return std::any_of(r.cases.begin(), r.cases.end(), [](const Case& c) { return method_error(c).has_value(); });
}

// Of a listing, beside its reading.
std::string printed_by(const Line& l) {
  return l.method && l.metric && *l.metric == metric::reading ? l.method->prints : std::string();
}

bool has_listings(const Record& r) {
  return std::any_of(r.cases.begin(), r.cases.end(), [](const Case& c) { return !c.prints.empty(); });
}

bool has_standings(const Record& r) {
  return std::any_of(r.metrics.begin(), r.metrics.end(), [](const auto& m) { return m.second.verdict.has_value(); });
}

void add_pause_columns(std::span<const Record> records, std::vector<Column>& all) {
  if (std::all_of(records.begin(), records.end(), [](const Record& r) { return after_pauses(r).empty(); })) return;
  all.push_back({"idle_ns", of_pause([](const IdleResult& i) { return number(i.pause_ns); })});
  all.push_back({"idle_random", of_pause([](const IdleResult& i) { return i.random ? "1" : "0"; })});
}

// Of a figure whose next run is judged: empty where it is not.
Cell of_standing(std::function<std::string(const Standing&)> text) {
  return of_metric([text = std::move(text)](const Metric& m) { return m.verdict ? text(*m.verdict) : std::string(); });
}

// "376000 (3 fast); 388000 (2 slow)": of how many launches each is the level.
std::string levels_cell(const Metric& m) {
  std::vector<std::string> levels;
  for (const LaunchLevel& l : m.levels)
    levels.push_back(fmt::format("{:.6g} ({}{}{})", l.value, l.launches, l.stream.empty() ? "" : " ", l.stream));
  return fmt::format("{}", fmt::join(levels, "; "));
}

void add_standing_columns(std::span<const Record> records, std::vector<Column>& all) {
  if (std::none_of(records.begin(), records.end(), has_standings)) return;
  all.push_back({"next_run", of_standing([](const Standing& s) { return std::string(name(s.word)); })});
  all.push_back({"half_width", of_standing([](const Standing& s) { return number(s.half_width); })});
  all.push_back({"cause", of_standing([](const Standing& s) { return s.cause; })});
  all.push_back({"levels", of_metric(levels_cell)});
}

std::vector<Column> columns_of(std::span<const Record> records) {
  std::vector<Column> all{{"model", [](const Record&, const Line& l) { return l.model->name; }},
                          {"case", [](const Record&, const Line& l) { return l.name; }},
                          {"metric", [](const Record&, const Line& l) { return l.metric ? *l.metric : ""; }},
                          {"unit", of_metric([](const Metric& m) { return m.unit; })},
                          {"n", of_metric([](const Metric& m) { return fmt::format("{}", m.n); })},
                          {"n_eff", of_metric([](const Metric& m) { return number(m.n_eff); })},
                          {"median", of_metric([](const Metric& m) { return number(m.estimate.value); })},
                          {"low", of_metric([](const Metric& m) { return number(m.estimate.low); })},
                          {"high", of_metric([](const Metric& m) { return number(m.estimate.high); })},
                          {"mean", of_metric([](const Metric& m) { return m.mean ? number(m.mean->value) : ""; })},
                          {"min", of_metric([](const Metric& m) { return m.max == 0 ? "" : number(m.min); })},
                          {"max", of_metric([](const Metric& m) { return m.max == 0 ? "" : number(m.max); })}};
  add_pause_columns(records, all);
  for (const double p : percentiles_in(records))
    all.push_back({percentile_label(p), of_metric([p](const Metric& m) { return percentile_cell(m, p); })});
  const auto compares = [](const Record& r) { return !r.comparisons.empty(); };
  if (std::any_of(records.begin(), records.end(), compares)) {
    all.push_back({"against", of_comparison([](const Comparison& c) { return c.a; })});
    all.push_back({"ratio", of_comparison([](const Comparison& c) { return number(c.ratio.value); })});
    all.push_back({"ratio_low", of_comparison([](const Comparison& c) { return number(c.ratio.low); })});
    all.push_back({"ratio_high", of_comparison([](const Comparison& c) { return number(c.ratio.high); })});
    all.push_back({"outcome", of_comparison([](const Comparison& c) { return c.outcome; })});
    all.push_back({"fail_on", conditions_of});
  }
  if (std::any_of(records.begin(), records.end(), times_by_methods)) {
    all.push_back({"off", of_method([](const MethodError& e) { return number(e.off); })});
    all.push_back({"off_of", of_method([](const MethodError& e) { return std::string(e.of); })});
    all.push_back({"off_from", of_method([](const MethodError& e) { return e.from; })});
  }
  if (std::any_of(records.begin(), records.end(), has_listings))
    all.push_back({"prints", [](const Record&, const Line& l) { return printed_by(l); }});
  add_standing_columns(records, all);
  all.push_back({"verdict", [](const Record& r, const Line&) { return std::string(name(r.verdict)); }});
  all.push_back({"error", error_of});
  return all;
}

// What a search found, as rows like those of metrics: texts by the name of their column.
using NamedCells = std::map<std::string, std::string>;
std::vector<NamedCells> search_rows(const Record& r) {
  std::vector<NamedCells> rows;
  const auto add = [&](std::string_view metric, std::string unit, std::string value, std::string remark) {
    rows.push_back({{"model", r.model.name},
                    {"metric", std::string(metric)},
                    {"unit", std::move(unit)},
                    {"median", std::move(value)},
                    {"verdict", std::string(name(r.verdict))},
                    {"error", std::move(remark)}});
  };
  for (const AnswerNumber& n : search_numbers(r)) add(n.name, "items", std::to_string(n.value), "");
  const auto bound = bound_outcome(r);
  const bool open = bound == bound_word::cannot_tell;
  if (bound) add("bound_met", "", open ? "" : bound == bound_word::met ? "1" : "0", open ? *bound : "");
  return rows;
}

// How busy each lane is while iterations overlap, as rows like those of metrics, and which of them is full.
std::vector<NamedCells> lane_rows(const Record& r) {
  std::vector<NamedCells> rows;
  if (!r.pipeline.overlap) return rows;
  const auto add = [&](const std::string& lane, const char* metric, std::string value) {
    rows.push_back({{"model", r.model.name},
                    {"case", lane},
                    {"metric", metric},
                    {"median", std::move(value)},
                    {"verdict", std::string(name(r.verdict))}});
  };
  for (const LaneUse& u : r.pipeline.overlap->lanes) {
    add(u.lane, "lane_work", number(u.work));
    if (u.occupied) add(u.lane, "lane_occupied", number(u.occupied));
    add(u.lane, "bottleneck", u.lane == r.pipeline.overlap->bottleneck ? "1" : "0");
  }
  return rows;
}

std::string name_of_metric(const Line& l) {
  if (!l.metric) return "";
  return l.idle ? *l.metric + " " + l.name : *l.metric;
}

// Of a method the value that its error belongs to.
std::string figure_cells(const Line& l) {
  if (!l.values || !l.values->known())
    return fmt::format("| {} | | {} | |", name_of_metric(l), escaped_cell(l.values ? l.values->unknown : l.error));
  const Figure f = figure(l.values->estimate, l.values->unit);
  const bool reading = error_of_method(l).has_value();
  const MethodReading m = reading ? method_reading(*l.method) : MethodReading{};
  return fmt::format("| {} | {} | {} | {} |", name_of_metric(l), reading ? m.text : f.number + " " + f.unit,
                     escaped_cell(reading ? m.interval : f.interval), format_count(l.values->n));
}

std::string error_cells(const Line& l) {
  const auto e = error_of_method(l);
  return e ? fmt::format(" {} | {} |", difference_text(*l.method), escaped_cell(title_of(e->from))) : " | |";
}

std::string standing_cells(const Line& l) {
  return fmt::format(" {} |", l.values ? standing_text(*l.values) : "");
}

std::string printed_cells(const Line& l) {
  return fmt::format(" {} |", escaped_cell(printed_by(l)));
}

// Columns of which each stands where the record has something for it: title, alignment, cell.
struct Part {
  bool there;
  const char *head, *rule;
  std::string (*cells)(const Line&);
};

std::string figures_table(const Record& r) {
  const Part parts[] = {
      {!r.cases.empty(), "| case ", "|---", [](const Line& l) { return fmt::format("| {} ", escaped_cell(l.name)); }},
      {true, "| metric | median | 95 % interval | n |", "|---|---:|---|---:|", figure_cells},
      {times_by_methods(r), " off | from |", "---:|---|", error_cells},
      {has_listings(r), " prints |", "---|", printed_cells},
      {has_standings(r), r.one_process ? " the next load |" : " the next run |", "---|", standing_cells}};
  const auto row = [&](const auto& cells) {
    std::string text;
    for (const Part& p : parts) text += p.there ? std::string(cells(p)) : "";
    return text + "\n";
  };
  std::string text = row([](const Part& p) { return p.head; }) + row([](const Part& p) { return p.rule; });
  for (const Line& l : lines_of(r)) text += row([&](const Part& p) { return p.cells(l); });
  return text;
}

}  // namespace

std::string csv_of(std::span<const Record> records) {
  const std::vector<Column> columns = columns_of(records);
  const auto row = [&](const std::function<std::string(const Column&)>& text) {
    std::vector<std::string> cells;
    for (const Column& c : columns) cells.push_back(cell(text(c)));
    return fmt::format("{}\n", fmt::join(cells, ","));
  };
  std::string text = row([](const Column& c) { return c.name; });
  for (const Record& r : records) {
    const auto add = [&](const std::vector<NamedCells>& found) {
      for (const NamedCells& cells : found) {
        text += row([&](const Column& c) {
          const auto it = cells.find(c.name);
          return it == cells.end() ? std::string() : it->second;
        });
      }
    };
    add(search_rows(r));
    for (const Line& l : lines_of(r)) text += row([&](const Column& c) { return c.cell(r, l); });
    add(lane_rows(r));
  }
  return text;
}

std::string render_markdown(const Record& r, const RenderOptions&) {
  std::string text =
      fmt::format("### {}\n\n", escaped_cell(compares_candidates(r) || !r.model.name.empty() ? name_of(r) : r.verb));
  text += fmt::format("verdict: **{}** · {} · strobe {}\n\n", name(r.verdict),
                      escaped_cell(r.device.name.empty() ? "this machine" : r.device.name), r.strobe.version);
  if (r.one_process) text += fmt::format("{}: {}\n\n", launches_phrase(r), kNotBetweenProcesses);
  text += study_view(r).markdown(r) + figures_table(r);
  if (!r.findings.empty()) text += "\n";
  for (const FindingLine& line : finding_lines(r))
    text += fmt::format("- **{}** ({}): {}. {}\n", line.main().id, name(line.main().severity),
                        escaped_cell(message_of(line)), escaped_cell(line.main().advice));
  return text;
}

}  // namespace strobe
