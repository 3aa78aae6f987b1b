// SPDX-License-Identifier: Apache-2.0
#include "report/verdict_sentence.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "record/names.h"
#include "record/study_info.h"
#include "report/causes.h"
#include "report/standing_text.h"
#include "report/study_view.h"
#include "report/words.h"

namespace strobe {
namespace {

std::optional<double> interval_size(const Record& r) {
  const auto e = headline_estimate(r);
  return e && e->valid ? e->relative_half_width() : std::nullopt;
}

// The interval alone is the doubt when samples vary or are few. Any other cause comes with an effect, or with no known
// one, and then the interval would say less than the truth.
std::optional<double> size_of_doubt(const Record& r, const std::vector<CauseGroup>& groups) {
  const CauseGroup& main = groups.front();
  const bool of_samples = main.cause == Cause::instability || main.cause == Cause::sample;
  if (r.verdict == Verdict::invalid || !(main.effect || of_samples)) return {};
  // Over several launches each figure has a size of its own beside it.
  std::optional<double> size = r.launches.empty() ? interval_size(r) : std::nullopt;
  for (const CauseGroup& g : groups) {
    if (g.counts) size = std::max(size, g.effect);
  }
  return size;
}

std::string size_text(double size) {
  return (size > 1 ? "" : "±") + effect_text(size);
}

std::string trusted_reason(const Record& r) {
  if (const std::string_view passed = study_view(r).passed; !passed.empty()) return std::string(passed);
  if (!r.launches.empty() && study_info(r).stands) return standing_reason(r);
  const auto size = interval_size(r);
  if (!size) return "nothing was seen that could move a result by more than its interval";
  return fmt::format("{}: nothing was seen that could move it further", size_text(*size));
}

std::string doubt_reason(const Record& r) {
  const std::vector<CauseGroup> groups = by_cause(r.findings);
  if (groups.empty() || !groups.front().counts)
    return !r.launches.empty() && study_info(r).stands ? standing_reason(r) : study_view(r).unexplained(r);
  const auto size = size_of_doubt(r, groups);
  return (size ? size_text(*size) + ": " : "") + groups.front().phrase;
}

std::string ending(const Record& r) {
  if (r.status != Status::interrupted) return {};
  return r.status_reason.empty() ? " (interrupted: partial result)"
                                 : fmt::format(" (partial result, it failed: {})", r.status_reason);
}

}  // namespace

std::string no_reason(const Record&) {
  return "the record does not say why";
}

std::string failed_checks(const Record& r) {
  const auto failed = std::count_if(r.cases.begin(), r.cases.end(), [](const Case& c) { return !c.error.empty(); });
  return fmt::format("{} of {} checks failed", failed, r.cases.size());
}

std::optional<Estimate> headline_estimate(const Record& r) {
  if (compares_candidates(r)) return leading(r.comparisons).ratio;
  if (study_info(r).answer == Answer::amount) {
    const Metric* m = r.find(metric::memory);
    return m ? std::optional(m->estimate) : std::nullopt;
  }
  const Metric* m = study_info(r).answer != Answer::rate && r.headline() ? r.headline() : r.find(metric::throughput);
  return m ? std::optional(m->estimate) : std::nullopt;
}

std::string verdict_reason(const Record& r) {
  return (r.verdict == Verdict::trusted ? trusted_reason(r) : doubt_reason(r)) + ending(r);
}

std::string verdict_sentence(const Record& r) {
  return fmt::format("{}: {}", name(r.verdict), verdict_reason(r));
}

}  // namespace strobe
