// SPDX-License-Identifier: Apache-2.0
#include "report/pictures/axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"

namespace strobe::page {
namespace {

constexpr double kNarrowest = 1e-6;  // relative: below it the ticks would all read the same

Range widened(Range r, bool logarithmic) {
  const double size = std::max(std::fabs(r.low), std::fabs(r.high));
  if (r.high - r.low > kNarrowest * size) return r;
  if (logarithmic) return {r.low / 2, r.high * 2};
  const double by = size > 0 ? 0.01 * size : 1;
  return {r.low - by, r.high + by};
}

// Below this ratio 1, 2 and 5 would be too few ticks: equal steps are then round numbers, too.
constexpr double kFewDecades = 4;

// 1, 2 or 5 times a power of ten.
double round_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double digits = rough / power;
  return power * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
}

}  // namespace

Axis::Axis(Range range, double from, double to, bool logarithmic)
    : range_(widened(range, logarithmic)), from_(from), to_(to), logarithmic_(logarithmic) {}

double Axis::operator()(double value) const {
  const double v = std::clamp(value, range_.low, range_.high);
  const double share = logarithmic_ ? std::log(v / range_.low) / std::log(range_.high / range_.low)
                                    : (v - range_.low) / (range_.high - range_.low);
  return from_ + share * (to_ - from_);
}

std::string Axis::unit_of(std::string_view unit) const {
  return std::string(unit_prefix(std::max(std::fabs(range_.low), std::fabs(range_.high)), unit).unit);
}

std::vector<Tick> Axis::ticks(std::string_view unit, int count) const {
  if (logarithmic_ && range_.high / range_.low > kFewDecades) return decades(unit);
  const double scale = unit_prefix(std::max(std::fabs(range_.low), std::fabs(range_.high)), unit).scale;
  const double low = range_.low / scale, high = range_.high / scale;
  const double step = round_step((high - low) / count);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  std::vector<Tick> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) {
    const double v = i == 0 ? 0 : i * step;  // never "-0"
    ticks.push_back({v * scale, fmt::format("{:.{}f}", v, decimals)});
  }
  return ticks;
}

std::vector<Tick> Axis::decades(std::string_view unit) const {
  const bool wide = range_.high / range_.low > 1e3;
  std::vector<Tick> ticks;
  for (double power = std::pow(10.0, std::floor(std::log10(range_.low))); power <= range_.high; power *= 10) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double v = digit * power;
      if (v < range_.low || v > range_.high || (wide && digit != 1)) continue;
      const UnitPrefix p = unit_prefix(v, unit);
      ticks.push_back({v, fmt::format("{:g}{}{}", v / p.scale, p.unit.empty() ? "" : " ", p.unit)});
    }
  }
  return ticks;
}

}  // namespace strobe::page
