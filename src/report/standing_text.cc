// SPDX-License-Identifier: Apache-2.0
#include "report/standing_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "record/deciding.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "record/uncertainty.h"
#include "report/causes.h"

namespace strobe {
namespace {

std::string level_text(const LaunchLevel& level, const Metric& m) {
  const Figure f = figure(level.value, m.unit);
  const std::string number = f.number + " " + f.unit;
  return level.stream.empty() ? number : fmt::format("{} on {} streams", number, level.stream);
}

std::string levels_text(const Metric& m, const Record& r) {
  std::uint64_t all = 0;
  for (const LaunchLevel& level : m.levels) all += level.launches;
  std::vector<std::string> parts;
  for (const LaunchLevel& level : m.levels) {
    const std::string of = parts.empty() ? fmt::format("{} {}", all, launch_words(r).many) : fmt::format("{}", all);
    parts.push_back(fmt::format("{} ({} of {})", level_text(level, m), level.launches, of));
  }
  const auto& stream = r.observations.stream;
  const bool streams = !m.levels.front().stream.empty() && stream && stream->fast + stream->slow > 0;
  return fmt::format(
      "{} levels: {}{}", m.levels.size() == 2 ? "two" : "three", fmt::join(parts, ", "),
      streams ? fmt::format("; {} of {} streams are slow", stream->slow, stream->fast + stream->slow) : "");
}

std::string with_size(std::string_view word, const std::optional<double>& half_width) {
  std::string words(word);
  std::replace(words.begin(), words.end(), '-', ' ');
  return half_width ? fmt::format("{} ±{}", words, format_percent(*half_width)) : words;
}

std::string of_metric(std::string_view name, const Record& r) {
  const Metric& m = r.metrics.find(name)->second;
  const std::string cause = standing_cause(name, r);
  return fmt::format("{} {}{}", metric_label(name), standing_text(m), cause.empty() ? "" : ": " + cause);
}

}  // namespace

std::string standing_text(const Metric& m) {
  if (!m.verdict) return {};
  return with_size(name(m.verdict->word), m.verdict->half_width);
}

std::string standing_cause(std::string_view metric, const Record& r) {
  const Metric& m = r.metrics.find(metric)->second;
  if (!m.levels.empty()) return levels_text(m, r);
  if (!m.verdict || m.verdict->cause.empty()) return {};
  const auto f = std::find_if(r.findings.begin(), r.findings.end(), [&](const Finding& x) {
    return x.id == m.verdict->cause && (x.metric.empty() || x.metric == metric);
  });
  if (f == r.findings.end()) return {};
  return f->about == About::workload ? "set by the host" : short_phrase(*f);
}

std::string uncertainty_text(std::string_view metric, const Record& r) {
  std::vector<std::string> parts;
  for (const UncertaintySource& s : uncertainty_sources(metric, r))
    parts.push_back(fmt::format("{} {}", s.name, format_percent(s.deviation)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string standing_reason(const Record& r) {
  const std::vector<std::string_view> names = deciding_metrics(r);
  std::vector<std::string> doubtful, sound;
  for (const std::string_view name : names) {
    const auto& verdict = r.metrics.find(name)->second.verdict;
    (verdict && within_margin(verdict->word) ? sound : doubtful).push_back(of_metric(name, r));
  }
  return fmt::format("{}", fmt::join(doubtful.empty() ? sound : doubtful, "; "));
}

}  // namespace strobe
