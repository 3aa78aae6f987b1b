// SPDX-License-Identifier: Apache-2.0
#include "study/compare/comparisons.h"

#include "record/estimates.h"
#include "record/metric_info.h"
#include "record/outcome_words.h"

namespace strobe {
namespace {

// The statistics speak of times: there less is faster.
std::string_view word_of(stats::Outcome outcome, std::string_view metric) {
  const auto [better, worse] = change_words(metric);
  switch (outcome) {
    case stats::Outcome::faster:
      return less_is_better(metric) ? better : worse;
    case stats::Outcome::slower:
      return less_is_better(metric) ? worse : better;
    case stats::Outcome::equivalent:
      return change_word::equivalent;
    case stats::Outcome::cannot_tell:
      return change_word::cannot_tell;
  }
  return change_word::cannot_tell;
}

}  // namespace

Comparison to_comparison(std::string a, std::string b, std::string metric, const stats::RatioComparison& c) {
  Comparison out;
  out.outcome = word_of(c.outcome, metric);
  out.a = std::move(a);
  out.b = std::move(b);
  out.metric = std::move(metric);
  out.ratio = make_estimate(c.ratio.value, c.ratio.low, c.ratio.high, "too few pairs to bound it");
  out.pairs = c.pairs;
  out.needs = c.needs;
  out.detectable = c.detectable;
  return out;
}

}  // namespace strobe
