// SPDX-License-Identifier: Apache-2.0
#include "measure/launch_length.h"

#include <algorithm>
#include <array>

#include "measure/energy.h"
#include "measure/idle.h"

namespace strobe {
namespace {

struct LengthRow {
  Effort effort;
  LaunchLength length;
};

constexpr std::array kLengths{
    LengthRow{Effort::glance, {1, 200ms, 800ms, 0.02, 60s}},
    LengthRow{Effort::quick, {5, 300ms, 1000ms, 0.02, 90s}},
    LengthRow{Effort::standard, {10, 700ms, 3500ms, 0.01, 300s}},
    LengthRow{Effort::sustained, {5, 60s, 10s, 0.01, 3600s}},
};

}  // namespace

LaunchLength launch_length(const Options& o) {
  const auto row =
      std::find_if(kLengths.begin(), kLengths.end(), [&](const LengthRow& r) { return r.effort == o.effort; });
  LaunchLength l = row->length;
  if (o.launches) l.launches = *o.launches;
  if (o.margin) l.margin = *o.margin;
  if (o.min_time) l.length = *o.min_time;
  l.idle = idle_time(o.idle, l.length, o.requests);
  if (o.energy) l.energy = energy_time(energy_length(o, l.launches));
  l.whole += static_cast<std::int64_t>(l.launches) * (l.idle + l.energy);
  if (!o.max_time) return l;
  l.whole = *o.max_time;
  l.soak = std::min(l.soak, *o.max_time / 4);
  l.length = std::min(l.length, *o.max_time - l.soak);
  return l;
}

}  // namespace strobe
