// SPDX-License-Identifier: Apache-2.0
#include "report/text/overlap_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "record/pipeline_ways.h"
#include "report/standing_text.h"
#include "report/text/table.h"
#include "report/text/timeline_text.h"
#include "report/words.h"

namespace strobe {
namespace {

constexpr double kWorthMore = 0.005;  // what more in flight could win
constexpr double kNotice = 0.1;       // between what a lane works and how long it is occupied

std::string sign_percent(double x) {
  return (x < 0 ? "−" : "+") + format_percent(std::fabs(x));
}

// Of the rate, by the ratio of periods.
std::string gain_cell(const Comparison& c) {
  const auto gain = [](double ratio) { return sign_percent(1 / ratio - 1); };
  std::string text = gain(c.ratio.value);
  if (c.ratio.bounded()) text += fmt::format("  [{}, {}]", gain(*c.ratio.high), gain(*c.ratio.low));
  return text;
}

struct Shown {
  std::string figure, interval;
};

Shown shown_figure(const Case& c, const char* name) {
  const auto it = c.metrics.find(name);
  if (it == c.metrics.end() || !it->second.known()) return {"-", ""};
  const Figure f = figure(it->second.estimate, it->second.unit);
  return {f.number + " " + f.unit, f.interval};
}

// One at a time, then several: what the comparison of their periods is about.
std::vector<const Case*> overlap_cases(const Record& r) {
  std::vector<const Case*> cases;
  for (const Comparison& x : r.comparisons) {
    for (const std::string& name : {x.a, x.b}) {
      const Case* c = x.metric == metric::period ? case_of_way(r, name) : nullptr;
      if (c) cases.push_back(c);
    }
  }
  return cases;
}

// Of the rate; empty for one at a time itself.
std::string gain_of(const Case& c, const Record& r) {
  const auto gain = std::find_if(r.comparisons.begin(), r.comparisons.end(),
                                 [&](const Comparison& x) { return x.b == c.name && x.metric == metric::period; });
  return gain == r.comparisons.end() ? "" : gain_cell(*gain);
}

// What a caller waits for; one at a time that is the period.
const char* taken_by_each(const Case& c) {
  return c.metrics.contains(metric::latency_loaded) ? metric::latency_loaded : metric::period;
}

std::string rates_table(const Record& r) {
  Table table("lrlrlrl");
  table.add({"", "period", "", "iterations", "", "each takes", ""});
  for (const Case* c : overlap_cases(r)) {
    std::vector<std::string> row{c->name};
    for (const char* name : {metric::period, metric::throughput, taken_by_each(*c)}) {
      Shown cell = shown_figure(*c, name);
      row.push_back(std::move(cell.figure));
      row.push_back(std::move(cell.interval));
    }
    table.add(std::move(row));
  }
  return table.render("  ");
}

// Would the next run find that rate again? One launch is said once, in the head line.
std::string rate_standing(const Record& r) {
  const Metric* rate = r.find(metric::throughput);
  if (!rate || !rate->verdict || r.launches.empty()) return {};
  const std::string cause = standing_cause(metric::throughput, r);
  return fmt::format("its rate {}{}", standing_text(*rate), cause.empty() ? "" : ": " + cause);
}

std::string bound_sentence(const OverlapAnswer& o) {
  if (o.bound == overlap_word::in_flight)
    return fmt::format("no lane is full: with {} in flight host and device still wait for each other; more may help",
                       o.in_flight);
  const auto full =
      std::find_if(o.lanes.begin(), o.lanes.end(), [&](const LaneUse& u) { return u.lane == o.bottleneck; });
  if (o.bound != overlap_word::lane || full == o.lanes.end())
    return "which lane bounds it differs from launch to launch";
  const double left = 1 / full->work - 1;
  return fmt::format("{} is the bottleneck, with {} most of its work: make that faster; more in flight {}", full->lane,
                     full->stage,
                     left < kWorthMore ? "cannot help" : fmt::format("may win {} at most", format_percent(left)));
}

std::string use_sentence(const LaneUse& u) {
  std::string text = fmt::format("{} works {} of the time", u.lane, format_percent(u.work));
  if (u.occupied && *u.occupied > u.work + kNotice)
    text += fmt::format(", and is occupied {}, gaps within its stages included", format_percent(*u.occupied));
  return text;
}

// Against one at a time.
std::string overlap_gain(const Record& r) {
  const std::vector<const Case*> cases = overlap_cases(r);
  if (cases.size() != 2) return {};
  const std::string gain = gain_of(*cases[1], r), standing = rate_standing(r);
  std::vector<std::string> parts;
  if (!gain.empty()) parts.push_back(fmt::format("against {} {}", cases[0]->name, gain));
  if (!standing.empty()) parts.push_back(standing);
  return parts.empty() ? "" : fmt::format("{}: {}", cases[1]->name, fmt::join(parts, "; "));
}

}  // namespace

std::string overlap_rates(const Record& r) {
  std::vector<std::string> parts;
  for (const Case* c : overlap_cases(r))
    parts.push_back(fmt::format("{}: {} an iteration, {}", c->name, shown_figure(*c, metric::period).figure,
                                shown_figure(*c, metric::throughput).figure));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<std::string> overlap_sentences(const Record& r) {
  if (!r.pipeline.overlap) return {};
  std::vector<std::string> sentences;
  if (std::string gain = overlap_gain(r); !gain.empty()) sentences.push_back(std::move(gain));
  sentences.push_back(bound_sentence(*r.pipeline.overlap));
  for (const LaneUse& u : r.pipeline.overlap->lanes) sentences.push_back(use_sentence(u));
  return sentences;
}

std::string overlap_text(const Record& r) {
  const auto period = r.metrics.find(metric::period);
  if (!r.pipeline.overlap && period != r.metrics.end() && !period->second.known())
    return fmt::format("\niterations in flight: {}\n", period->second.unknown);
  if (!r.pipeline.overlap) return {};
  const OverlapAnswer& o = *r.pipeline.overlap;
  std::string text = fmt::format("\n{} iterations in flight\n{}", o.in_flight, rates_table(r));
  for (const std::string& sentence : overlap_sentences(r)) text += fmt::format("  {}\n", sentence);
  if (o.timeline.empty()) return text;
  return text + "\n" + timeline_text(o.timeline, o.timeline_ns, kTimelineWidth);
}

}  // namespace strobe
