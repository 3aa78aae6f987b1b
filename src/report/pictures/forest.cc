// SPDX-License-Identifier: Apache-2.0
// Comparisons: each ratio with its interval, the line at 1 and the band in which a difference does not matter. The axis
// is logarithmic, so that half and twice are equally far from 1, and right is worse for every metric: rates are drawn
// the other way round.
#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "report/comparison_answer.h"
#include "report/pictures/interval_rows.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

constexpr double kMargin = 0.01;  // where a record does not say what counts as equivalent

std::string interval_text(const Estimate& e) {
  const auto side = [](std::optional<double> x, const char* none) { return x ? fmt::format("{:.3f}", *x) : none; };
  return e.low || e.high ? fmt::format("[{}, {}]", side(e.low, "-∞"), side(e.high, "∞")) : "";
}

std::string ratio_text(const Estimate& e) {
  return fmt::format("{:.3f}{}{}", e.value, e.low || e.high ? " " : "", interval_text(e));
}

std::optional<double> inverse(std::optional<double> x) {
  return x && *x > 0 ? std::optional(1 / *x) : std::nullopt;
}

// Larger is worse.
Estimate worsening(const Comparison& c) {
  if (less_is_better(c.metric)) return c.ratio;
  return {inverse(c.ratio.value).value_or(1), inverse(c.ratio.high), inverse(c.ratio.low), c.ratio.valid, c.ratio.why};
}

std::string outcome_word(const Comparison& c) {
  return c.outcome == change_word::cannot_tell ? "cannot tell" : c.outcome;
}

std::string pairs_text(const Comparison& c) {
  return c.needs ? fmt::format("{} of about {}", c.pairs, *c.needs) : fmt::format("{}", c.pairs);
}

std::string pair_name(const Comparison& c) {
  return is_noise_floor(c) ? fmt::format("{} against itself", c.a) : fmt::format("{} against {}", c.b, c.a);
}

std::vector<Comparison> by_pair(const Record& r) {
  std::vector<Comparison> list = in_order(r.comparisons);
  std::vector<std::string> pairs;
  for (const Comparison& c : r.comparisons) pairs.push_back(pair_name(c));
  const auto place = [&](const Comparison& c) { return std::find(pairs.begin(), pairs.end(), pair_name(c)); };
  std::stable_sort(list.begin(), list.end(), [&](const Comparison& a, const Comparison& b) {
    return std::pair(is_noise_floor(a), place(a)) < std::pair(is_noise_floor(b), place(b));
  });
  return list;
}

// The pair is named once where there is only one.
Cells table_of(const std::vector<Comparison>& list) {
  const bool one = std::all_of(list.begin(), list.end(),
                               [&](const Comparison& c) { return pair_name(c) == pair_name(list.front()); });
  Cells t{one ? pair_name(list.front()) : "How they compare", {"metric", "ratio", "outcome", "pairs"}, "lllr"};
  const bool detects = std::any_of(list.begin(), list.end(), [](const Comparison& c) { return c.detectable; });
  if (detects) {
    t.head.push_back("detectable");
    t.alignment += "r";
  }
  if (!one) {
    t.head.insert(t.head.begin(), "comparison");
    t.alignment.insert(0, "l");
  }
  for (const Comparison& c : list) {
    const std::string field = fmt::format("ratio {} {}", c.a, c.b);
    std::vector<Html> row{escaped(compared_title(c)),
                          {number(c.ratio.value, c.metric, field, fmt::format("{:.3f}", c.ratio.value)).text + " " +
                           nowrap(interval_text(c.ratio)).text},
                          escaped(outcome_word(c)),
                          escaped(pairs_text(c))};
    if (detects) row.push_back(escaped(c.detectable ? format_percent(*c.detectable) : ""));
    if (!one) row.insert(row.begin(), escaped(pair_name(c)));
    t.rows.push_back(std::move(row));
  }
  return t;
}

}  // namespace

std::optional<Plot> forest(const Record& r) {
  if (r.comparisons.empty()) return {};
  const double margin = fact<double>(r.settings, "margin").value_or(kMargin);
  Plot p{.title = "How they compare",
         .description = fmt::format("{} ratios with their 95 % intervals.", r.comparisons.size()),
         .caption =
             "Dot: the one named first divided by the other; hollow: cannot tell. Line: 95 % interval. Shaded: "
             "equivalent. The axis is logarithmic, and right is worse: rates are drawn as their inverse."};
  const std::vector<Comparison> list = by_pair(r);
  p.table = table_of(list);
  std::vector<IntervalRow> rows;
  std::string pair;
  for (const Comparison& c : list) {
    const std::string ratio = ratio_text(c.ratio), metric = compared_title(c), outcome = outcome_word(c);
    const std::string heading = pair == pair_name(c) ? "" : pair_name(c);
    pair = pair_name(c);
    rows.push_back({.label = metric,
                    .value = fmt::format("{}: {}", outcome, ratio),
                    .estimate = worsening(c),
                    .words = fmt::format("{}, {}: {}, ratio {}", pair, metric, outcome, ratio),
                    .heading = heading,
                    .hollow = c.outcome == change_word::cannot_tell});
  }
  // An amount, such as memory, is not faster or slower.
  const bool amounts = std::any_of(list.begin(), list.end(), [](const Comparison& c) {
    const MetricInfo* info = metric_info(c.metric);
    return info && info->kind == MetricKind::gauge;
  });
  draw_rows(p, rows,
            {.unit = "",
             .name = "ratio",
             .line = 1,
             .band = Range{1 - margin, 1 + margin},
             .logarithmic = true,
             .less = amounts ? "← better" : "← faster",
             .more = amounts ? "worse →" : "slower →"});
  return p;
}

}  // namespace strobe::page
