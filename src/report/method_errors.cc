// SPDX-License-Identifier: Apache-2.0
#include "report/method_errors.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "record/scalars.h"
#include "report/words.h"

namespace strobe {
namespace {

// As a factor, so that half and twice are equally wrong; a reading of nothing is the worst there is.
double size_of_error(const Case& c) {
  return std::fabs(std::log(std::max(1e-9, 1 + c.difference.value_or(0))));
}

}  // namespace

MethodReading method_reading(const Case& c) {
  const Metric* m = known_metric(c.metrics, metric::reading);
  if (!m) return {};
  const bool mean = m->mean && !fact<bool>(c.settings, "warmup").value_or(true);
  const Figure f = mean ? figure(m->mean->value, m->unit) : figure(m->estimate, m->unit);
  const std::string number = f.number + " " + f.unit;
  if (mean) return {{m->mean->value, {}, {}, true, {}}, number, number + " (mean)", "", true};
  return {m->estimate, number, number, f.interval, false};
}

std::optional<MethodError> method_error(const Case& c) {
  const std::string from = c.claims;
  if (!c.difference || from.empty()) return {};
  return MethodError{*c.difference, method_reading(c).mean ? "mean" : "median", from};
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
  std::string text = fmt::format("{} of {} timing methods for this model {} off by more than {:.0f} %",
                                 e.off == 0 ? "None" : std::to_string(e.off), e.usable, e.off > 1 ? "are" : "is",
                                 100 * kMethodTolerance);
  if (e.unusable > 0) text += fmt::format("; {} more cannot be judged here", e.unusable);
  return text;
}

}  // namespace strobe
