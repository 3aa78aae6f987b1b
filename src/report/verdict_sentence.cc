// SPDX-License-Identifier: Apache-2.0
#include "report/verdict_sentence.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/format.h"
#include "record/names.h"
#include "report/causes.h"
#include "report/words.h"

namespace strobe {
namespace {

// Records whose verdict is about a machine or about strobe itself: nothing was measured, so there is no size.
struct CheckWords {
  std::string_view verb, trusted;
};
constexpr std::array kChecks{CheckWords{"doctor", "nothing here would spoil a measurement"},
                             CheckWords{"selftest", "every check passed"}};

const CheckWords* check_words(const Record& r) {
  const auto it = std::find_if(kChecks.begin(), kChecks.end(), [&](const CheckWords& c) { return c.verb == r.verb; });
  return it == kChecks.end() ? nullptr : &*it;
}

std::string failed_checks(const Record& r) {
  const auto failed = std::count_if(r.cases.begin(), r.cases.end(), [](const Case& c) { return !c.error.empty(); });
  return fmt::format("{} of {} checks failed", failed, r.cases.size());
}

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
  std::optional<double> size = interval_size(r);
  for (const CauseGroup& g : groups) {
    if (g.counts) size = std::max(size, g.effect);
  }
  return size;
}

std::string size_text(double size) {
  return (size > 1 ? "" : "±") + effect_text(size);
}

std::string trusted_reason(const Record& r) {
  if (const CheckWords* words = check_words(r)) return std::string(words->trusted);
  const auto size = interval_size(r);
  if (!size) return "nothing was seen that could move a result by more than its interval";
  return fmt::format("{}: nothing was seen that could move it further", size_text(*size));
}

std::string doubt_reason(const Record& r) {
  const std::vector<CauseGroup> groups = by_cause(r.findings);
  if (groups.empty() || !groups.front().counts)
    return r.verb == "selftest" ? failed_checks(r) : "the record does not say why";
  const auto size = size_of_doubt(r, groups);
  return (size ? size_text(*size) + ": " : "") + groups.front().phrase;
}

std::string ending(const Record& r) {
  if (r.status != Status::interrupted) return {};
  return r.status_reason.empty() ? " (interrupted: partial result)"
                                 : fmt::format(" (partial result, it failed: {})", r.status_reason);
}

}  // namespace

std::optional<Estimate> headline_estimate(const Record& r) {
  if (!r.comparisons.empty() && r.verb != "pipeline") return leading(r.comparisons).ratio;
  const Metric* m = r.verb != "throughput" && r.headline() ? r.headline() : r.find("throughput");
  return m ? std::optional(m->median) : std::nullopt;
}

std::string verdict_reason(const Record& r) {
  return (r.verdict == Verdict::trusted ? trusted_reason(r) : doubt_reason(r)) + ending(r);
}

std::string verdict_sentence(const Record& r) {
  return fmt::format("{}: {}", name(r.verdict), verdict_reason(r));
}

}  // namespace strobe
