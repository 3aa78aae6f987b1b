// SPDX-License-Identifier: Apache-2.0
#include "study/compare/fail_on.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "base/parse.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"

namespace strobe {
namespace {

constexpr std::array<std::string_view, 3> kHeadlines{metric::latency, metric::reading, metric::throughput};
constexpr double kMostPairsToAdvise = 100'000;  // nobody waits for more

bool is_percentile(std::string_view word) {
  return word.size() > 1 && word.front() == 'p' && word.find_first_not_of("0123456789.", 1) == std::string_view::npos;
}

double parse_percentile(const std::string& word) {
  const double p = parse_number(word.substr(1), "--fail-on") / 100;
  if (p > 0 && p < 1) return p;
  throw Error(ErrorCode::usage, fmt::format("cannot read --fail-on '{}'", word), "a percentile is between p0 and p100",
              "Write p99=5%.");
}

[[noreturn]] void refuse_word(const std::string& word) {
  std::vector<std::string> known{"slower", "p99"};
  for (const MetricInfo& m : all_metrics()) known.emplace_back(m.name);
  throw Error(ErrorCode::usage, fmt::format("unknown --fail-on '{}'", word.substr(0, 40)), {},
              fmt::format("Write slower=2%, p99=5%, or a metric: throughput=2%, device_time=1%, memory=10%.{}",
                          did_you_mean(word, known)));
}

std::string unit_of_pairs(const Record& r) {
  return fact<bool>(r.settings, "stored").value_or(false) ? "launches" : "pairs";
}

const Comparison* find_comparison(const Record& r, std::string_view b, std::string_view metric,
                                  std::optional<double> percentile) {
  const auto it = std::find_if(r.comparisons.begin(), r.comparisons.end(), [&](const Comparison& c) {
    return c.b == b && c.metric == metric && c.percentile == percentile;
  });
  return it == r.comparisons.end() ? nullptr : &*it;
}

std::string ratio_words(const Comparison& c) {
  std::string what = metric_label(c.metric);
  if (c.percentile) what = fmt::format("p{:.10g} of {}", 100 * *c.percentile, what);
  const std::string interval = c.ratio.bounded() ? fmt::format(" [{:.3f}, {:.3f}]", *c.ratio.low, *c.ratio.high) : "";
  return fmt::format("{} is {:.3f}{} times that of {}", what, c.ratio.value, interval, c.a);
}

// Intervals shrink with the square root of the pairs: how many until this one no longer has the limit inside.
std::optional<std::uint64_t> pairs_to_decide(const Comparison& c, double limit) {
  if (!c.ratio.bounded()) return c.needs;
  const double half = c.ratio.value < limit ? *c.ratio.high - c.ratio.value : c.ratio.value - *c.ratio.low;
  const double pairs = static_cast<double>(c.pairs) * std::pow(half / (limit - c.ratio.value), 2);
  if (!(pairs < kMostPairsToAdvise)) return std::nullopt;
  return static_cast<std::uint64_t>(std::ceil(pairs)) + 1;
}

FailOn decided(const FailCondition& f, const Comparison& c, const Record& r) {
  const bool less = less_is_better(c.metric);
  const double limit = less ? 1 + f.limit : 1 - f.limit;
  const auto &near = less ? c.ratio.low : c.ratio.high, &far = less ? c.ratio.high : c.ratio.low;
  const auto beyond = [&](double x) { return less ? x > limit : x < limit; };
  FailOn result{f.text, c.b, c.metric, condition_word::cannot_tell,
                fmt::format("{}; the limit is {:.3f}", ratio_words(c), limit)};
  if (near && beyond(*near)) {
    result.outcome = condition_word::failed;
  } else if (far && !beyond(*far)) {
    result.outcome = condition_word::passed;
  } else if (const auto needs = pairs_to_decide(c, limit)) {
    result.why += fmt::format(", and about {} {} would decide", format_count(*needs), unit_of_pairs(r));
  } else {
    result.why += ", too close to it to be decided";
  }
  return result;
}

// Why there is nothing to decide by.
std::string why_missing(const FailCondition& f, const std::string& metric, const Case& c) {
  const auto it = c.metrics.find(metric);
  if (it == c.metrics.end()) return fmt::format("{} has no {}", c.name, metric);
  if (!it->second.known()) return fmt::format("{} of {} is unknown: {}", metric, c.name, it->second.unknown);
  if (!f.percentile) return {};
  const Metric& m = it->second;
  const auto q = std::find_if(m.percentiles.begin(), m.percentiles.end(),
                              [&](const Percentile& x) { return x.p == *f.percentile; });
  if (q != m.percentiles.end() && q->estimate) return {};
  const std::string what = fmt::format("p{:.10g} of {}", 100 * *f.percentile, metric);
  if (q == m.percentiles.end()) return fmt::format("{} has no {}", c.name, what);
  return fmt::format("{} needs {} requests, and {} has {}", what, format_count(q->needs.value_or(0)), c.name,
                     format_count(m.n));
}

FailOn decide_for(const FailCondition& f, const Case& candidate, const Record& r) {
  const std::string headline = headline_metric(r), metric = !f.metric.empty() ? f.metric : headline;
  if (metric.empty())
    return {f.text,
            candidate.name,
            {},
            condition_word::cannot_tell,
            fmt::format("{} has no latency to compare", candidate.name)};
  if (const Comparison* c = find_comparison(r, candidate.name, metric, f.percentile)) return decided(f, *c, r);
  std::string why;
  for (const Case* c : {&candidate, &r.cases.front()}) {
    if (why.empty()) why = why_missing(f, metric, *c);
  }
  return {f.text, candidate.name, metric, condition_word::cannot_tell,
          why.empty() ? fmt::format("{} was not compared", metric) : why};
}

Finding undecided(std::string message, const Record& r) {
  const bool stored = unit_of_pairs(r) == "launches";
  return {.id = "undecided",
          .severity = Severity::warning,
          .message = std::move(message),
          .advice = stored ? "Record more launches ('strobe run --launches N')."
                           : "Take more pairs (--pairs N), or a quieter machine."};
}

}  // namespace

FailCondition parse_fail_on(const std::string& text) {
  const auto [word, share] = parse_assignment(text, "--fail-on");
  FailCondition f{text, {}, {}, 0};
  if (is_percentile(word))
    f.percentile = parse_percentile(word);
  else if (metric_info(word))
    f.metric = word;
  else if (word != "slower")
    refuse_word(word);
  f.limit = parse_share(share, "--fail-on");
  return f;
}

bool asks_for_memory(std::span<const FailCondition> all) {
  return std::any_of(all.begin(), all.end(), [](const FailCondition& f) { return f.metric == metric::memory; });
}

std::vector<double> percentiles_of(std::span<const FailCondition> all) {
  std::vector<double> out;
  for (const FailCondition& f : all) {
    if (f.percentile && std::find(out.begin(), out.end(), *f.percentile) == out.end()) out.push_back(*f.percentile);
  }
  return out;
}

std::string headline_metric(const Record& r) {
  for (const std::string_view metric : kHeadlines) {
    const auto about = [&](const Comparison& c) { return c.metric == metric && !is_noise_floor(c); };
    if (std::any_of(r.comparisons.begin(), r.comparisons.end(), about)) return std::string(metric);
  }
  return {};
}

void apply_fail_on(std::span<const FailCondition> all, Record& r) {
  for (const FailCondition& f : all) {
    for (const Case& c : std::span(r.cases).subspan(1)) {
      if (is_noise_floor(c, r)) continue;
      r.fail_on.push_back(decide_for(f, c, r));
      const FailOn& result = r.fail_on.back();
      if (result.outcome == condition_word::cannot_tell)
        r.findings.push_back(
            undecided(fmt::format("--fail-on {} cannot be decided for {}: {}", f.text, c.name, result.why), r));
    }
  }
}

void doubt_undecided(Record& r) {
  const std::string headline = headline_metric(r);
  for (const Comparison& c : r.comparisons) {
    if (c.metric != headline || c.percentile || c.outcome != change_word::cannot_tell || is_noise_floor(c)) continue;
    const auto said = [&](const FailOn& f) {
      return f.candidate == c.b && f.metric == headline && f.outcome != condition_word::passed;
    };
    if (std::any_of(r.fail_on.begin(), r.fail_on.end(), said)) continue;
    const std::string needs =
        c.needs ? fmt::format("; about {} {} would decide", format_count(*c.needs), unit_of_pairs(r)) : "";
    r.findings.push_back(undecided(
        fmt::format("whether {} is faster or slower than {} cannot be told: {}{}", c.b, c.a, ratio_words(c), needs),
        r));
  }
}

}  // namespace strobe
