// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "record/names.h"
#include "record/reported.h"
#include "record/scalars.h"
#include "report/method_errors.h"
#include "report/page/studies.h"
#include "report/pictures/pictures.h"
#include "report/study_view.h"
#include "report/text/overlap_text.h"
#include "report/text/pipeline_text.h"
#include "report/text/throughput_text.h"
#include "report/words.h"

namespace strobe::page {
namespace {

std::string machine_parts(const Record& r) {
  Cells t{"Devices and runtimes", {"part", "version", ""}, "lll"};
  for (const Case& c : r.cases)
    t.rows.push_back({escaped(c.name), escaped(c.error.empty() ? c.version : "absent"),
                      escaped(c.error.empty() ? c.about : c.error)});
  return render(t);
}

std::string checks(const Record& r) {
  Cells t{"Checks of strobe itself", {"check", "result", "expected", "got", ""}, "llrrl"};
  for (const Case& c : r.cases)
    t.rows.push_back({escaped(c.name), escaped(c.error.empty() ? "✓ ok" : "✖ FAILED"), escaped(c.check.expected),
                      escaped(c.check.got), escaped(c.error.empty() ? c.about : c.error)});
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
  const Figure f = figure(m->estimate, m->unit);
  return {number(m->estimate.value, name, c.name, f.number + " " + f.unit).text + " " +
          interval(m->estimate, name, c.name, m->unit).text};
}

std::string cases_table(const Record& r, const std::vector<const Case*>& cases) {
  const std::vector<std::string> metrics = columns_of(r);
  const bool outcomes = std::any_of(r.cases.begin(), r.cases.end(), [](const Case& c) { return !c.outcome.empty(); });
  Cells t{"Medians of each case with their 95 % intervals", {"case"}, "l"};
  for (const std::string& m : metrics) {
    t.head.push_back(full_title(m));
    t.alignment += 'l';
  }
  const auto percentile = fact<double>(r.settings, "percentile");
  if (percentile) t.head.push_back(percentile_label(*percentile));
  if (outcomes) t.head.emplace_back("outcome");
  t.head.emplace_back("");
  for (const Case* c : cases) {
    std::vector<Html> row{escaped(c->name)};
    for (const std::string& name : metrics) row.push_back(median_cell(*c, name));
    const Metric* loaded = known_metric(c->metrics, metric::latency_loaded);
    if (percentile) row.push_back(nowrap(loaded ? percentile_text(*loaded, *percentile) : ""));
    if (outcomes) row.push_back(escaped(c->outcome));
    row.push_back(escaped(trial_text(*c)));
    t.rows.push_back(std::move(row));
  }
  return render(t);
}

std::vector<Plot> present(std::vector<std::optional<Plot>> plots) {
  std::vector<Plot> out;
  for (auto& p : plots) {
    if (p) out.push_back(std::move(*p));
  }
  return out;
}

// What the time line means: who idles, and what a faster stage would gain.
std::string schedule_words(const Record& r) {
  std::string out;
  for (const std::string& sentence : idle_sentences(r)) out += fmt::format("<li>{}</li>", escaped(sentence).text);
  if (!out.empty()) out = "<p>A typical iteration, with marks:</p><ul>" + out + "</ul>";
  const std::string gain = gain_sentence(r);
  if (gain.empty()) return out;
  return out + fmt::format("<p>{}.</p>", escaped(capitalised(gain)).text);
}

std::string overlap_section(const Record& r, Outline& o) {
  if (!r.pipeline.overlap) return {};
  std::string words = fmt::format("<li>{}</li>", escaped(overlap_rates(r)).text);
  for (const std::string& sentence : overlap_sentences(r)) words += fmt::format("<li>{}</li>", escaped(sentence).text);
  return section(o, "Iterations in flight", lay_out(present({overlap(r)}), o) + "<ul>" + words + "</ul>");
}

bool has_stages(const Record& r) {
  return std::any_of(r.cases.begin(), r.cases.end(), [](const Case& c) { return !c.stages.empty(); });
}

bool is_swept(const Record& r) {
  return r.comparisons.empty() && !has_stages(r) && r.cases.size() > 1;
}

std::vector<Plot> series_of(const std::string& name, const Metric& m, const Record& r) {
  const bool first = name == metric::latency || name == metric::device_time || name == metric::reading;
  return present({time_series(name, m, &m == r.headline() ? r.telemetry : Telemetry{}), histogram(name, m),
                  first ? distribution(name, m) : std::nullopt});
}

// The metric whose series carries the answer: none where a study has pictures of its own.
std::string leading_metric(const Record& r) {
  const bool study = !r.cases.empty() || !r.comparisons.empty() || !r.launches.empty() || has_stages(r);
  if (study || !r.headline()) return {};
  return r.find(metric::latency) ? metric::latency : metric::reading;
}

std::string launches_section(const Record& r, Outline& o) {
  return r.launches.empty() ? "" : section(o, launch_words(r).many, lay_out(present({launches(r), uncertainty(r)}), o));
}

std::string idle_section(const Record& r, Outline& o) {
  return section(o, "After a pause", lay_out(present({idle_latency(r)}), o));
}

std::string energy_section(const Record& r, Outline& o) {
  return section(o, "Energy", lay_out(present({window_energies(r)}), o));
}

std::string request_section(const Record& r, Outline& o) {
  return section(o, "Host and device", lay_out(present({timeline(r)}), o));
}

}  // namespace

std::string measurement_pictures(const Record& r, Outline& o) {
  if (const std::string name = leading_metric(r); !name.empty())
    return section(o, full_title(name), lay_out(series_of(name, *r.find(name), r), o)) + request_section(r, o) +
           idle_section(r, o) + energy_section(r, o);
  if (has_stages(r))
    return section(o, "Stages", lay_out(present({stage_split(r), timeline(r)}), o)) + overlap_section(r, o) +
           launches_section(r, o);
  if (!r.comparisons.empty()) return section(o, "Comparison", lay_out(present({forest(r)}), o));
  if (!r.launches.empty())
    return launches_section(r, o) + request_section(r, o) + idle_section(r, o) + energy_section(r, o);
  return is_swept(r) ? section(o, "Sweep", lay_out(case_curves(r), o)) : "";
}

std::string methods_pictures(const Record& r, Outline& o) {
  return section(o, "Methods", lay_out(method_ratios(r), o)) + idle_section(r, o) + launches_section(r, o);
}

std::string search_pictures(const Record& r, Outline& o) {
  if (!is_swept(r)) return launches_section(r, o);
  std::vector<Plot> plots = present({rate_latency(r)});
  std::ranges::move(case_curves(r), std::back_inserter(plots));
  return section(o, "Search", lay_out(plots, o)) + launches_section(r, o);
}

std::string measurement_tables(const Record& r, Outline& o) {
  std::string out;
  if (has_stages(r)) {
    out += section(o, "How the stages work together", schedule_words(r));
    out += section(o, "What each method reads", lay_out(present({stages(r), forest(r)}), o));
  }
  std::vector<const Case*> cases;
  for (const Case& c : r.cases) cases.push_back(&c);
  return cases.empty() ? out : out + section(o, "Cases", cases_table(r, cases));
}

std::string search_tables(const Record& r, Outline& o) {
  return r.cases.empty() ? "" : section(o, "Cases", cases_table(r, trials_in_order(r)));
}

std::string methods_tables(const Record& r, Outline& o) {
  Cells t{"What each listing prints", {"listing", "prints", "off", "from", "what it counts"}, "lllll"};
  for (const Case& c : r.cases) {
    if (c.group != method_group::listing) continue;
    t.rows.push_back({escaped(c.name), escaped(c.prints.empty() ? "-" : c.prints), escaped(difference_text(c)),
                      escaped(full_title(c.claims) + (c.difference ? " " + method_truth(c, r) : "")),
                      escaped(c.error.empty() ? c.about : "cannot be used: " + c.error)});
  }
  return t.rows.empty() ? "" : section(o, "Listings", render(t));
}

std::string doctor_tables(const Record& r, Outline& o) {
  return section(o, "Devices and runtimes", machine_parts(r));
}

std::string selftest_tables(const Record& r, Outline& o) {
  return section(o, "Checks", checks(r));
}

std::string nothing(const Record&, Outline&) {
  return {};
}

std::string pictures_section(const Record& r, Outline& o) {
  return study_view(r).pictures(r, o);
}

std::string study_section(const Record& r, Outline& o) {
  return study_view(r).tables(r, o);
}

std::string series_section(const Record& r, Outline& o) {
  std::string open, closed;
  for (const auto* entry : in_order(r.metrics)) {
    const auto& [name, m] = *entry;
    if (!m.known() || name == leading_metric(r)) continue;
    const std::string pictures = lay_out(series_of(name, m, r), o);
    if (pictures.empty()) continue;
    if (name == metric::latency || name == metric::device_time)
      open += section(o, full_title(name), pictures);
    else
      closed += fmt::format("<details><summary>{}</summary>{}</details>", escaped(full_title(name)).text, pictures);
  }
  return open + section(o, open.empty() ? "Over time" : "Other metrics", closed);
}

}  // namespace strobe::page
