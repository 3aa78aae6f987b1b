// SPDX-License-Identifier: Apache-2.0
#include "base/format.h"

#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "base/unit_names.h"

namespace strobe {
namespace {

using Prefix = UnitPrefix;

constexpr std::array kTimes{Prefix{1, "ns"}, Prefix{1e3, "µs"}, Prefix{1e6, "ms"}, Prefix{1e9, "s"}};
constexpr std::array kRates{Prefix{1, "/s"}, Prefix{1e3, "k/s"}, Prefix{1e6, "M/s"}, Prefix{1e9, "G/s"}};
constexpr std::array kBytes{Prefix{1, "B"}, Prefix{0x1p10, "KiB"}, Prefix{0x1p20, "MiB"}, Prefix{0x1p30, "GiB"},
                            Prefix{0x1p40, "TiB"}};
constexpr std::array kEnergies{Prefix{1e-6, "µJ"}, Prefix{1e-3, "mJ"}, Prefix{1, "J"}, Prefix{1e3, "kJ"}};
constexpr std::array kPowers{Prefix{1e-3, "mW"}, Prefix{1, "W"}, Prefix{1e3, "kW"}};
constexpr std::array kPerJoule{Prefix{1, "/J"}, Prefix{1e3, "k/J"}, Prefix{1e6, "M/J"}};
constexpr std::array kPlain{Prefix{1, ""}};

std::span<const Prefix> prefixes(std::string_view unit) {
  if (unit == unit::ns) return kTimes;
  if (unit == unit::items_per_second) return kRates;
  if (unit == unit::bytes) return kBytes;
  if (unit == unit::joules) return kEnergies;
  if (unit == unit::watts) return kPowers;
  if (unit == unit::items_per_joule) return kPerJoule;
  return kPlain;
}

// Decimals that leave three significant digits of a number that is already scaled.
int decimals(double scaled) {
  const double a = std::fabs(scaled);
  if (a >= 99.95) return 0;
  if (a >= 9.995) return 1;
  if (a >= 0.9995 || a == 0) return 2;
  return a >= 0.09995 ? 3 : 4;
}

// The largest prefix that keeps the rounded number at least 1, so that 999.7 µs becomes 1.00 ms.
const Prefix& pick(double value, std::span<const Prefix> list) {
  const Prefix* best = &list.front();
  for (const Prefix& p : list) {
    if (std::fabs(value) >= 0.9995 * p.scale) best = &p;
  }
  return *best;
}

}  // namespace

std::string Figure::plain() const {
  std::string s = number;
  if (!unit.empty()) s += " " + unit;
  if (!interval.empty()) s += "  " + interval;
  return s;
}

Figure figure(double value, std::string_view unit, std::optional<double> low, std::optional<double> high) {
  const Prefix& p = pick(value, prefixes(unit));
  const double v = value / p.scale;
  const int least = decimals(v);
  int d = least;
  if (low && high) {
    const double width = (*high - *low) / p.scale;
    while (d < least + 2 && width > 0 && width < 2 * std::pow(10, -d)) ++d;
  }
  const auto side = [&](const std::optional<double>& x, const char* none) {
    return x ? fmt::format("{:.{}f}", *x / p.scale, d) : std::string(none);
  };
  Figure f{fmt::format("{:.{}f}", v, d), std::string(p.unit.empty() ? unit : p.unit), {}, {}, {}};
  if (!low && !high) return f;
  f.low = side(low, "-∞");
  f.high = side(high, "∞");
  f.interval = fmt::format("[{}, {}]", f.low, f.high);
  return f;
}

UnitPrefix unit_prefix(double value, std::string_view unit) {
  const Prefix& p = pick(value, prefixes(unit));
  return p.unit.empty() ? Prefix{1, unit} : p;
}

std::string format_time(double ns) {
  return figure(ns, unit::ns).plain();
}
std::string format_time(nanoseconds t) {
  return format_time(to_double(t));
}

std::string format_bytes(Bytes b) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double v = static_cast<double>(b.count);
  std::size_t i = 0;
  while (v >= 1024 && i + 1 < kUnits.size()) {
    v /= 1024;
    ++i;
  }
  return fmt::format("{:.{}f} {}", v, i == 0 ? 0 : decimals(v), kUnits[i]);
}

std::string format_count(std::uint64_t n) {
  std::string s = fmt::format("{}", n);
  for (auto i = static_cast<std::ptrdiff_t>(s.size()) - 3; i > 0; i -= 3) s.insert(static_cast<std::size_t>(i), ",");
  return s;
}

std::string format_percent(double share) {
  const double p = 100 * share;
  return fmt::format("{:.{}f} %", p, std::fabs(p) >= 9.95 ? 0 : std::fabs(p) >= 0.0995 || p == 0 ? 1 : 2);
}

std::string format_shape(const std::vector<std::int64_t>& shape) {
  if (shape.empty()) return "scalar";
  return fmt::format("{}", fmt::join(shape, "×"));
}

std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", format_count(n), n == 1 ? one : many);
}

std::string cut_text(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  const std::size_t blank = text.rfind(' ', bytes);
  if (blank != std::string_view::npos && blank > bytes / 2) return std::string(text.substr(0, blank)) + " …";
  std::size_t end = bytes;  // one long word: between two characters
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace strobe
