// SPDX-License-Identifier: Apache-2.0
#include "report/text/throughput_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_info.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "report/search_answer.h"
#include "report/text/head_text.h"
#include "report/text/table.h"
#include "report/text/verdict_text.h"
#include "report/words.h"

namespace strobe {
namespace {

constexpr std::size_t kAnswerLabel = 13;

std::pair<std::string, std::string> shown(const Metric* m) {
  if (!m) return {"", ""};
  const Figure f = figure(m->estimate, m->unit);
  return {f.number + " " + f.unit, f.interval};
}

std::string late_text(const Case& c) {
  const auto& late = c.trial.late_share;
  return late && *late > 0 ? fmt::format(" ({} late)", format_percent(*late)) : "";
}

bool searches_energy(const Record& r) {
  return std::any_of(r.cases.begin(), r.cases.end(),
                     [](const Case& c) { return known_metric(c.metrics, metric::items_per_joule) != nullptr; });
}

constexpr std::size_t kShownOfError = 70;  // what a library says in full is in the record

std::string points(const Record& r) {
  const auto percentile = fact<double>(r.settings, "percentile");
  const bool joules = searches_energy(r);
  Table table(std::string("lrlrl") + (percentile ? "r" : "") + (joules ? "rl" : "") + "rl");
  std::vector<std::string> head{"", "throughput", "", "loaded", ""};
  if (percentile) head.push_back(percentile_label(*percentile));
  if (joules) head.insert(head.end(), {metric_label(metric::items_per_joule), ""});
  head.insert(head.end(), {"memory", ""});
  table.add(std::move(head));
  for (const Case* c : trials_in_order(r)) {
    const auto [rate, interval] = shown(known_metric(c->metrics, metric::throughput));
    const std::string remark = c->outcome == trial_word::fits
                                   ? trial_text(*c)
                                   : c->outcome + (c->error.empty() ? "" : ": " + cut_text(c->error, kShownOfError));
    const Metric* loaded = known_metric(c->metrics, metric::latency_loaded);
    const auto [latency, latency_interval] = shown(loaded);
    std::vector<std::string> row{c->name, rate, interval, latency, latency_interval};
    if (percentile) row.push_back(loaded ? percentile_text(*loaded, *percentile) : "");
    if (joules) {
      const auto [per_joule, its_interval] = shown(known_metric(c->metrics, metric::items_per_joule));
      row.insert(row.end(), {per_joule, its_interval});
    }
    row.insert(row.end(), {shown(known_metric(c->metrics, metric::memory)).first, remark});
    table.add(std::move(row));
  }
  return table.render("  ");
}

std::string line(const char* label, const std::string& text) {
  return padded(label, kAnswerLabel) + text + "\n";
}

// The outcome itself is in the first line of the text.
std::string bound_line(const Record& r) {
  const std::string undecided = undecided_text(r);
  return undecided.empty() ? "" : line("bound", undecided);
}

// How often the batch was tried as the first point was.
std::string tried_text(const Record& r, std::int64_t batch) {
  if (r.cases.empty()) return {};
  const auto setting = [](const Case& c, const char* name) { return fact<std::int64_t>(c.settings, name); };
  const Case& first = r.cases.front();
  const auto trials = std::count_if(r.cases.begin(), r.cases.end(), [&](const Case& c) {
    return c.outcome == trial_word::fits && known_metric(c.metrics, metric::throughput) &&
           setting(c, "batch") == batch && setting(c, "streams") == setting(first, "streams") &&
           setting(c, "in_flight") == setting(first, "in_flight");
  });
  return trials == 1 ? "; tried once" : trials > 1 ? fmt::format("; the middle of {} trials", trials) : "";
}

std::string answers(const Record& r) {
  std::string text;
  if (const auto best = r.answer.best_batch)
    text +=
        line("best batch", fmt::format("{} is the smallest within 5 % of the {}{}", *best,
                                       searches_energy(r) ? "most items a joule" : "best rate", tried_text(r, *best)));
  if (const auto wave = r.answer.wave)
    text += line("saw-tooth", fmt::format("one item more than {} costs over 5 % of the rate", *wave));
  if (const auto most = r.answer.most_items_per_second)
    text +=
        line("limit", fmt::format("{} by the line through all points{}", figure(*most, unit::items_per_second).plain(),
                                  r.answer.half_rate_batch
                                      ? fmt::format("; half of it at batch {:.1f}", *r.answer.half_rate_batch)
                                      : ""));
  const std::string& state = r.answer.largest_state;
  if (const auto largest = r.answer.largest_batch)
    text += line("largest", fmt::format("{}  {}", *largest, state));
  else if (!state.empty())
    text += line("largest", state);
  if (const auto fails = r.answer.fails_at)
    text += line(
        "", fmt::format("{} does not fit ({})", *fails,
                        cut_text(r.answer.fails_because.empty() ? "unknown" : r.answer.fails_because, kShownOfError)));
  if (const auto reserve = r.answer.reserve_bytes; reserve && *reserve > 0)
    text += line("", fmt::format("this leaves {} of memory", format_bytes({static_cast<std::uint64_t>(*reserve)})));
  if (!r.answer.fastest.empty())
    text += line("fastest", r.answer.fastest + ": the fewest requests outstanding within 5 % of the best rate");
  text += bound_line(r);
  if (!r.answer.bound_stopped_by.empty())
    text += line("", fmt::format("beyond {} nothing larger was tried", r.answer.bound_stopped_by));
  return text;
}

constexpr std::string_view kRateFormula =
    "The rate is batch × Σ(completions − 1) / Σ(last − first completion) over stretches in which every queue was full: "
    "completions while queues filled or ran empty are left out at both ends.";

}  // namespace

std::vector<const Case*> trials_in_order(const Record& r) {
  std::vector<const Case*> cases;
  for (const Case& c : r.cases) cases.push_back(&c);
  const auto key = [](const Case* c) {
    return std::tuple(fact<std::int64_t>(c->settings, "streams").value_or(1),
                      fact<std::int64_t>(c->settings, "in_flight").value_or(1),
                      fact<std::int64_t>(c->settings, "batch").value_or(0));
  };
  std::stable_sort(cases.begin(), cases.end(), [&](const Case* a, const Case* b) { return key(a) < key(b); });
  return cases;
}

std::string undecided_text(const Record& r) {
  const std::string& point = r.answer.bound_undecided;
  const auto rate = r.answer.bound_undecided_rate;
  if (point.empty() || !rate) return {};
  const bool met = r.answer.bound == bound_word::met;
  const auto needs = r.answer.bound_needs;
  return fmt::format(
      "{} ({}) may keep it{}{}", point, figure(*rate, unit::items_per_second).plain(),
      met ? ", too: it could not be decided" : "",
      needs ? fmt::format("; a proof takes at least {} requests", format_count(static_cast<std::uint64_t>(*needs)))
            : "");
}

std::string trial_text(const Case& c) {
  if (!c.error.empty()) return c.error;
  const std::string& bound = c.trial.bound;
  if (bound.empty() || c.outcome != trial_word::fits) return c.about;
  const char* word = bound == bound_word::met       ? "within the bound"
                     : bound == bound_word::not_met ? "beyond the bound"
                                                    : "cannot tell";
  return word + late_text(c) + (c.about.empty() ? "" : "; " + c.about);
}

std::string percentile_text(const Metric& latency, double percentile) {
  for (const Percentile& p : latency.percentiles) {
    if (p.p == percentile && p.estimate) return figure(p.estimate->value, latency.unit).plain();
  }
  return "–";
}

std::string throughput_text(const Record& r) {
  return points(r) + "\n" + answers(r);
}

std::string show_search(const Record& r, const RenderOptions& o, const Painter& p) {
  const std::string how = o.explain ? explained({metric::throughput, metric::latency_loaded}, kRateFormula, p) : "";
  return search_sentence(r) + "\n" + verdict_lines(r, o, p) + launches_line(r) + "\n" + head_line(r, p) +
         throughput_text(r) + how;
}

}  // namespace strobe
