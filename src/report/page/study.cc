#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include "base/format.h"
#include "record/scalars.h"
#include "report/page/sections.h"
#include "report/pictures/pictures.h"
#include "report/pipeline_text.h"
#include "report/throughput_text.h"
#include "report/words.h"

namespace strobe::page {
namespace {

std::string machine_parts(const Record& r) {
  Cells t{"Devices and runtimes", {"part", "version", ""}, "lll"};
  for (const Case& c : r.cases)
    t.rows.push_back({escaped(c.name), escaped(c.error.empty() ? setting(c.settings, "version") : "absent"),
                      escaped(c.error.empty() ? c.about : c.error)});
  return render(t);
}

std::string checks(const Record& r) {
  Cells t{"Checks of strobe itself", {"check", "result", "expected", "got", ""}, "llrrl"};
  for (const Case& c : r.cases)
    t.rows.push_back({escaped(c.name), escaped(c.error.empty() ? "✓ ok" : "✖ FAILED"),
                      escaped(setting(c.settings, "expected")), escaped(setting(c.settings, "got")),
                      escaped(c.error.empty() ? c.about : c.error)});
  return render(t);
}

// Metrics that any case has a figure of, in the usual order.
std::vector<std::string> columns_of(const Record& r) {
  Metrics all;
  for (const Case& c : r.cases) {
    for (const auto& [name, m] : c.metrics) {
      if (m.known()) all[name];
    }
  }
  std::vector<std::string> names;
  for (const auto* entry : in_order(all)) names.push_back(entry->first);
  return names;
}

Html median_cell(const Case& c, const std::string& name) {
  const Metric* m = known_metric(c.metrics, name);
  if (!m) return {};
  const Figure f = figure(m->median, m->unit);
  return {number(m->median.value, name, c.name, f.number + " " + f.unit).text + " " +
          interval(m->median, name, c.name, m->unit).text};
}

std::string cases_table(const Record& r) {
  const std::vector<std::string> metrics = columns_of(r);
  const bool outcomes = std::any_of(r.cases.begin(), r.cases.end(), [](const Case& c) { return !c.outcome.empty(); });
  Cells t{"Medians of each case with their 95 % intervals", {"case"}, "l"};
  for (const std::string& m : metrics) t.head.push_back(full_title(m)), t.alignment += 'l';
  const auto percentile = fact<double>(r.settings, "percentile");
  if (percentile) t.head.push_back(percentile_label(*percentile));
  if (outcomes) t.head.emplace_back("outcome");
  t.head.emplace_back("");
  for (const Case* c : trials_in_order(r)) {
    std::vector<Html> row{escaped(c->name)};
    for (const std::string& name : metrics) row.push_back(median_cell(*c, name));
    const Metric* loaded = known_metric(c->metrics, "latency_loaded");
    if (percentile) row.push_back(nowrap(loaded ? percentile_text(*loaded, *percentile) : ""));
    if (outcomes) row.push_back(escaped(c->outcome));
    row.push_back(escaped(trial_text(*c)));
    t.rows.push_back(std::move(row));
  }
  return render(t);
}

std::string drawn(const std::vector<Plot>& plots, Outline& o, const char* style = "grid") {
  std::string out;
  for (const Plot& p : plots) out += o.draw(p);
  return out.empty() ? out : fmt::format("<div class=\"{}\">{}</div>", style, out);
}

std::vector<Plot> present(std::vector<std::optional<Plot>> plots) {
  std::vector<Plot> out;
  for (auto& p : plots) {
    if (p) out.push_back(std::move(*p));
  }
  return out;
}

std::string section(const Outline& o, std::string_view title, const std::string& body) {
  return body.empty() ? "" : "<section>" + o.heading(1, title) + body + "</section>\n";
}

// What the time line means: who idles, and what a faster stage would gain.
std::string schedule_words(const Record& r) {
  std::string out;
  for (const std::string& sentence : idle_sentences(r)) out += fmt::format("<li>{}</li>", escaped(sentence).text);
  if (!out.empty()) out = "<p>A typical iteration, with marks:</p><ul>" + out + "</ul>";
  std::string gain = gain_sentence(r);
  if (gain.empty()) return out;
  gain.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(gain.front())));
  return out + fmt::format("<p>{}.</p>", escaped(gain).text);
}

bool has_stages(const Record& r) {
  return std::any_of(r.cases.begin(), r.cases.end(), [](const Case& c) { return !c.stages.empty(); });
}

}  // namespace

std::string study_section(const Record& r, Outline& o) {
  if (r.verb == "doctor") return section(o, "Devices and runtimes", machine_parts(r));
  if (r.verb == "selftest") return section(o, "Checks", checks(r));
  if (r.verb == "methods") return section(o, "Methods", drawn(method_bars(r), o));
  std::string out;
  if (!r.timeline.empty() || has_stages(r))
    out += section(o, "Pipeline", drawn(present({timeline(r), stages(r)}), o) + schedule_words(r));
  if (const auto p = forest(r)) out += section(o, "Comparison", drawn({*p}, o));
  if (const auto p = launches(r)) out += section(o, "Launches", drawn({*p}, o));
  if (r.cases.empty()) return out;
  const bool curves = r.comparisons.empty() && !has_stages(r);
  std::vector<Plot> plots = present({rate_latency(r)});
  if (curves) std::ranges::move(case_curves(r), std::back_inserter(plots));
  return out + section(o, "Cases", drawn(plots, o) + cases_table(r));
}

std::string series_section(const Record& r, Outline& o) {
  std::string open, closed;
  for (const auto* entry : in_order(r.metrics)) {
    const auto& [name, m] = *entry;
    if (!m.known()) continue;
    const bool first = name == "latency" || name == "device_time" || name == "reading";
    const bool headline = &m == r.headline();
    const std::string pictures = drawn(present({time_series(name, m, headline ? r.telemetry : Telemetry{}),
                                                histogram(name, m), first ? distribution(name, m) : std::nullopt}),
                                       o, "grid pair");
    if (pictures.empty()) continue;
    if (first)
      open += section(o, full_title(name), pictures);
    else
      closed += fmt::format("<details><summary>{}</summary>{}</details>", escaped(full_title(name)).text, pictures);
  }
  return open + section(o, open.empty() ? "Over time" : "Other metrics", closed);
}

}  // namespace strobe::page
