#include "report/method_errors.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
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
  const Metric* m = known_metric(c.metrics, "reading");
  if (!m) return {};
  const bool mean = m->mean && !fact<bool>(c.settings, "warmup").value_or(true);
  const Figure f = mean ? figure(m->mean->value, m->unit) : figure(m->median, m->unit);
  if (mean) return {{m->mean->value, {}, {}, true, {}}, f.number + " " + f.unit + " (mean)", ""};
  return {m->median, f.number + " " + f.unit, f.interval};
}

bool is_off(const Case& c) {
  return c.difference && std::fabs(*c.difference) > kMethodTolerance;
}

MethodErrors method_errors(const Record& r) {
  MethodErrors e;
  for (const Case& c : r.cases) {
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

}  // namespace strobe
