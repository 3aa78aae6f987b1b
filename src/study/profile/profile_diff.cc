// SPDX-License-Identifier: Apache-2.0
#include "study/profile/profile_diff.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <strobe/error.h>

#include "record/estimates.h"
#include "record/outcome_words.h"
#include "stats/comparison.h"
#include "stats/holm.h"
#include "study/compare/comparisons.h"

namespace strobe {
namespace {

void check_profile(const StoredRecord& s) {
  if (!s.record.profile.layers.empty()) return;
  throw Error(ErrorCode::usage, "cannot compare these profiles", fmt::format("'{}' has no layers", s.name),
              "Take two records of 'strobe profile MODEL --json FILE'.");
}

const LayerResult* counterpart(const LayerResult& l, const std::vector<LayerResult>& others) {
  const auto it = std::find_if(others.begin(), others.end(),
                               [&](const LayerResult& x) { return x.name == l.name && x.type == l.type; });
  return it == others.end() ? nullptr : &*it;
}

// A layer of both, and what its launches say.
struct Pairing {
  LayerDifference difference;
  double p = 1;
};

LayerDifference difference_of(const LayerResult* before, const LayerResult* after) {
  const LayerResult& known = before ? *before : *after;
  LayerDifference d{.name = known.name, .type = known.type};
  if (before) d.before_ns = before->time.value;
  if (after) d.after_ns = after->time.value;
  return d;
}

Pairing paired(const LayerResult& before, const LayerResult& after) {
  Pairing p{.difference = difference_of(&before, &after)};
  const stats::RatioComparison c = stats::compare_launches(before.launches, after.launches);
  const Comparison worded = to_comparison({}, {}, {}, c);
  p.difference.ratio = worded.ratio;
  p.difference.outcome = worded.outcome;
  p.p = c.p;
  return p;
}

// Of many layers some differ by chance: what the family does not support cannot be told.
void correct(std::vector<Pairing>& pairs) {
  constexpr double kAlpha = 0.01;
  std::vector<double> p;
  for (const Pairing& x : pairs) p.push_back(x.p);
  const std::vector<bool> differs = stats::holm(p, kAlpha);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::string& outcome = pairs[i].difference.outcome;
    const bool named = outcome == change_word::faster || outcome == change_word::slower;
    if (!differs[i] && named) outcome = change_word::cannot_tell;
  }
}

double change_of(const LayerDifference& d) {
  return std::fabs(d.after_ns.value_or(0) - d.before_ns.value_or(0));
}

std::vector<LayerDifference> differences_of(const ProfileAnswer& before, const ProfileAnswer& after) {
  std::vector<Pairing> pairs;
  std::vector<LayerDifference> all;
  for (const LayerResult& l : before.layers) {
    if (const LayerResult* same = counterpart(l, after.layers))
      pairs.push_back(paired(l, *same));
    else
      all.push_back(difference_of(&l, nullptr));
  }
  for (const LayerResult& l : after.layers) {
    if (!counterpart(l, before.layers)) all.push_back(difference_of(nullptr, &l));
  }
  correct(pairs);
  for (Pairing& p : pairs) all.push_back(std::move(p.difference));
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return change_of(a) > change_of(b); });
  return all;
}

}  // namespace

Record compare_profiles(const StoredRecord& before, const StoredRecord& after, const CompareRecordsOptions& o) {
  check_profile(before);
  check_profile(after);
  Record r = compare_records({before, after}, o);
  r.profile.differences = differences_of(before.record.profile, after.record.profile);
  return r;
}

}  // namespace strobe
