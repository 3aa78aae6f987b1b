// SPDX-License-Identifier: Apache-2.0
#include "report/text/comparison_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "report/comparison_answer.h"
#include "report/text/profile_text.h"
#include "report/text/table.h"
#include "report/text/verdict_text.h"
#include "report/words.h"

namespace strobe {
namespace {

std::string ratio_text(const Estimate& e) {
  return fmt::format("{:.3f}", e.value);
}

std::string interval_text(const Estimate& e) {
  return e.bounded() ? fmt::format("[{:.3f}, {:.3f}]", *e.low, *e.high) : "";
}

std::vector<std::string> metrics_of(const Record& r) {
  std::vector<std::string> names;
  for (const Comparison& c : r.comparisons) {
    if (std::find(names.begin(), names.end(), c.metric) == names.end()) names.push_back(c.metric);
  }
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return metric_order(a) < metric_order(b); });
  return names;
}

// Also what it takes of memory, which is compared only where somebody asks.
std::vector<std::string> columns_of_candidates(const Record& r, std::vector<std::string> metrics) {
  const bool known = std::all_of(r.cases.begin(), r.cases.end(),
                                 [](const Case& c) { return known_metric(c.metrics, metric::memory); });
  if (known && std::find(metrics.begin(), metrics.end(), metric::memory) == metrics.end())
    metrics.emplace_back(metric::memory);
  return metrics;
}

std::string candidates(const Record& r, const std::vector<std::string>& metrics) {
  std::string alignment = "l";
  std::vector<std::string> head{""};
  for (const std::string& m : metrics) {
    alignment += "rl";
    head.insert(head.end(), {title_of(m), ""});
  }
  Table table(alignment);
  table.add(head);
  for (const Case& c : r.cases) {
    std::vector<std::string> row{c.name};
    for (const std::string& name : metrics) {
      const Metric* m = known_metric(c.metrics, name);
      if (!m) {
        row.insert(row.end(), {"-", ""});
        continue;
      }
      const Estimate& e = m->estimate;
      const Figure f = figure(e, m->unit);
      row.insert(row.end(), {f.number + " " + f.unit, f.interval});
    }
    table.add(std::move(row));
  }
  return table.render("  ");
}

std::string against(const Record& r, const std::string& b, const std::vector<std::string>& metrics) {
  Table table("lrll");
  std::string a;
  for (const std::string& metric : metrics) {
    for (const Comparison& c : r.comparisons) {
      if (c.b != b || c.metric != metric) continue;
      a = c.a;
      const std::string title =
          c.percentile ? fmt::format("{} {}", title_of(metric), percentile_label(*c.percentile)) : title_of(metric);
      table.add({title, ratio_text(c.ratio), interval_text(c.ratio), comparison_phrase(c, r)});
    }
  }
  return fmt::format("\n{} against {}\n{}", b, a, table.render("  "));
}

// What this machine cannot tell apart: the first candidate against itself.
std::string noise_floor(const Record& r) {
  if (r.noise_floor)
    return fmt::format("noise floor  with this many launches a difference under {} cannot be seen\n",
                       format_percent(*r.noise_floor));
  for (const Comparison& c : r.comparisons) {
    if (c.metric != metric::latency || !is_noise_floor(c) || !c.ratio.bounded()) continue;
    const double floor = std::max(std::fabs(1 - *c.ratio.low), std::fabs(*c.ratio.high - 1));
    return fmt::format("noise floor  {} against itself: {} {}; a difference under {} cannot be seen here\n", c.a,
                       ratio_text(c.ratio), interval_text(c.ratio), format_percent(floor));
  }
  return {};
}

std::string conditions(const Record& r) {
  std::string text;
  for (const FailOn& f : r.fail_on) text += fmt::format("fail-on      {}\n", fail_on_text(f));
  return text;
}

bool is_of_stored(const Record& r) {
  return fact<bool>(r.settings, "stored").value_or(false);
}

// Of turns within one process: a pipeline, or a comparison of a version that loaded there.
bool is_of_rounds(const Record& r) {
  return !r.settings.contains("pairs");
}

std::string_view unit_of_pairs(const Record& r) {
  return is_of_stored(r) ? "launches" : is_of_rounds(r) ? "rounds" : "pairs";
}

std::string how(const Record& r) {
  if (is_of_stored(r)) return "stored records, compared by launches\n";
  const bool workers = fact<bool>(r.settings, "workers").value_or(false);
  if (is_of_rounds(r)) {
    const auto loads = static_cast<std::uint64_t>(fact<std::int64_t>(r.settings, "loads").value_or(1));
    return fmt::format("{} in turns, loaded {}, {}; {}\n", counted(r.rounds.value_or(0), "round", "rounds"),
                       loads == 1 ? "once" : fmt::format("anew {} times", loads),
                       workers ? "each in a separate process" : "all in one process", format_time(r.duration_ns));
  }
  const std::uint64_t pairs = r.comparisons.empty() ? 0 : r.comparisons.front().pairs;
  return fmt::format("{} {} that take turns; {}\n", counted(pairs, "pair", "pairs"),
                     workers ? "of fresh processes" : "of loads in one process", format_time(r.duration_ns));
}

// The largest over candidates of what the pairs would find, by metric.
std::string detectable(const Record& r, const std::vector<std::string>& metrics) {
  std::vector<std::string> parts;
  for (const std::string& metric : metrics) {
    std::optional<double> largest;
    for (const Comparison& c : r.comparisons) {
      if (c.metric == metric && c.detectable && !c.percentile && !is_noise_floor(c))
        largest = std::max(largest.value_or(0), *c.detectable);
    }
    if (largest) parts.push_back(fmt::format("{} {}", title_of(metric), format_percent(*largest)));
  }
  if (parts.empty()) return {};
  return fmt::format("detectable   {}: pairs like these find that much in 80 of 100 cases\n", fmt::join(parts, ", "));
}

}  // namespace

std::string comparison_phrase(const Comparison& c, const Record& r) {
  if (is_better(c) || is_worse(c)) {
    const double factor = std::max(c.ratio.value, 1 / c.ratio.value);
    if (factor >= 1.5) return fmt::format("{} ({:.3g} times)", c.outcome, factor);
    return fmt::format("{} ({} {})", c.outcome, format_percent(std::fabs(c.ratio.value - 1)),
                       c.ratio.value > 1 ? "more" : "less");
  }
  return comparison_word(c, r);
}

std::string comparison_word(const Comparison& c, const Record& r) {
  if (c.outcome != change_word::cannot_tell) return c.outcome;
  if (!c.needs) return "cannot tell";
  return fmt::format("cannot tell (needs about {} {})", format_count(*c.needs), unit_of_pairs(r));
}

std::string show_comparison(const Record& r, const RenderOptions& o, const Painter& p) {
  const std::vector<std::string> metrics = metrics_of(r);
  std::string text;
  for (const std::string& line : candidate_lines(r)) text += line + "\n";
  text += how(r) + "\n";
  for (const std::string& sentence : comparison_sentences(r)) text += sentence + "\n";
  text += conditions(r) + "\n" + candidates(r, columns_of_candidates(r, metrics));
  std::vector<std::string> done;
  for (const Comparison& c : r.comparisons) {
    if (std::find(done.begin(), done.end(), c.b) != done.end() || is_noise_floor(c)) continue;
    done.push_back(c.b);
    text += against(r, c.b, metrics);
  }
  return text + layer_differences(r, o.verbose) + "\n" + detectable(r, metrics) + noise_floor(r) +
         verdict_lines(r, o, p);
}

}  // namespace strobe
