// SPDX-License-Identifier: Apache-2.0
#include "report/comparison_answer.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "report/text/comparison_text.h"
#include "report/words.h"

namespace strobe {
namespace {

// Digits where they tell: 1.013, but 2.01.
std::string factor_text(double x, double ratio) {
  return fmt::format("{:.{}f}", x, ratio > 0.9 && ratio < 1.1 ? 3 : 2);
}

std::string interval_of(const Comparison& c) {
  if (!c.ratio.bounded()) return {};
  return fmt::format(" [{}, {}]", factor_text(*c.ratio.low, c.ratio.value), factor_text(*c.ratio.high, c.ratio.value));
}

std::string relation(const Comparison& c) {
  const MetricInfo* info = metric_info(c.metric);
  const std::string factor = factor_text(c.ratio.value, c.ratio.value);
  if (info && info->kind != MetricKind::sample)
    return fmt::format("has {}× the {} of {}", factor, full_title(c.metric), c.a);
  return fmt::format("takes {}× as long as {}", factor, c.a);
}

std::string sentence(const Comparison& c, const Record& r) {
  std::string word = comparison_word(c, r);
  if (c.outcome == change_word::equivalent)
    word = fmt::format("equivalent (within {})", format_percent(fact<double>(r.settings, "margin").value_or(0.01)));
  return fmt::format("{} {}{}: {}", c.b, relation(c), interval_of(c), word);
}

std::string line_of(const Case& c, const Record& r) {
  Record alone;
  alone.verb = r.verb;
  alone.model = *c.model;
  if (c.device) alone.device = *c.device;
  alone.settings = c.settings;
  return fmt::format("{}  {}", alone.model.name, fmt::join(subject(alone), " · "));
}

}  // namespace

std::vector<std::string> comparison_sentences(const Record& r) {
  std::vector<std::string> sentences;
  for (const Case& c : r.cases) {
    std::vector<Comparison> of_case;
    for (const Comparison& x : r.comparisons) {
      if (x.b == c.name && !x.percentile && !is_noise_floor(x)) of_case.push_back(x);
    }
    if (!of_case.empty()) sentences.push_back(sentence(leading(of_case), r));
  }
  return sentences;
}

std::vector<std::string> candidate_lines(const Record& r) {
  std::vector<std::string> lines, named;
  for (const Case& c : r.cases) {
    if (!c.model || is_noise_floor(c, r)) continue;
    const std::string line = line_of(c, r);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    const bool said = c.name.find(c.model->name) != std::string::npos;
    named.push_back(said ? c.name + line.substr(c.model->name.size()) : fmt::format("{}: {}", c.name, line));
  }
  return lines.size() < 2 ? lines : named;
}

std::string fail_on_text(const FailOn& f) {
  const std::string outcome = f.outcome == condition_word::failed   ? "failed by"
                              : f.outcome == condition_word::passed ? "passed by"
                                                                    : "cannot tell for";
  return fmt::format("{}: {} {}: {}", f.condition, outcome, f.candidate, f.why);
}

std::string compared_title(const Comparison& c) {
  return c.percentile ? fmt::format("{} {}", full_title(c.metric), percentile_label(*c.percentile))
                      : full_title(c.metric);
}

}  // namespace strobe
