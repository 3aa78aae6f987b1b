// SPDX-License-Identifier: Apache-2.0
#include "report/method_errors.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "record/reported.h"
#include "report/words.h"

namespace strobe {
namespace {

// As a factor, so that half and twice are equally wrong; a reading of nothing is the worst there is.
double size_of_error(const Case& c) {
  return std::fabs(std::log(std::max(1e-9, 1 + c.difference.value_or(0))));
}

std::string single_sentence(const Case& c) {
  if (!is_off(c))
    return fmt::format("{} is within {:.0f} % of the {}", c.name, 100 * kMethodTolerance, full_title(c.claims));
  return fmt::format("{} is off by {} from the {}", c.name, difference_text(c), full_title(c.claims));
}

}  // namespace

MethodReading method_reading(const Case& c) {
  const auto read = reported(c);
  if (!read) return {};
  const Metric& m = *known_metric(c.metrics, metric::reading);
  const bool median = read->statistic == statistic::median;
  const Figure f = median ? figure(m.estimate, m.unit) : figure(read->estimate.value, m.unit);
  const std::string number = f.number + " " + f.unit;
  if (median) return {read->estimate, number, number, f.interval, read->statistic};
  return {{read->estimate.value, {}, {}, true, {}},
          number,
          fmt::format("{} ({})", number, read->statistic),
          "",
          read->statistic};
}

std::string method_mean(const Case& c) {
  const Metric* m = known_metric(c.metrics, metric::reading);
  if (!m || !m->mean || m->n < 2) return {};
  const Figure f = figure(m->mean->value, m->unit);
  return f.number + " " + f.unit;
}

std::optional<MethodError> method_error(const Case& c) {
  const std::string from = c.claims;
  if (!c.difference || from.empty()) return {};
  return MethodError{*c.difference, method_reading(c).statistic, from};
}

// Listings one after the other have processes, and references, of their own.
std::string method_truth(const Case& c, const Record& r) {
  const auto own = c.group == method_group::listing && r.cases.size() > 1 ? reported(c) : std::nullopt;
  if (own && c.difference && *c.difference > -1) return format_time(own->estimate.value / (1 + *c.difference));
  const Metric* truth = r.find(c.claims);
  return truth ? figure(truth->estimate.value, truth->unit).plain() : "unknown";
}

bool is_off(const Case& c) {
  return c.difference && std::fabs(*c.difference) > kMethodTolerance;
}

MethodErrors method_errors(const Record& r) {
  MethodErrors e;
  for (const Case& c : r.cases) {
    if (c.settings.contains("idle_ns")) continue;  // another question, and no method of answering it
    if (!c.difference) {
      ++e.unusable;
      continue;
    }
    ++e.usable;
    if (!is_off(c)) continue;
    ++e.off;
    if (!e.worst || size_of_error(c) > size_of_error(*e.worst)) e.worst = &c;
  }
  return e;
}

std::string methods_sentence(const Record& r) {
  const MethodErrors e = method_errors(r);
  if (e.usable == 0) return {};
  if (e.usable == 1 && r.cases.size() == 1) return single_sentence(r.cases.front());
  std::string text = fmt::format("{} of {} timing methods for this model {} off by more than {:.0f} %",
                                 e.off == 0 ? "None" : std::to_string(e.off), e.usable, e.off > 1 ? "are" : "is",
                                 100 * kMethodTolerance);
  if (e.unusable > 0) text += fmt::format("; {} more cannot be judged here", e.unusable);
  return text;
}

}  // namespace strobe
