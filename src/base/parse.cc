// SPDX-License-Identifier: Apache-2.0
#include "base/parse.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <strobe/error.h>

namespace strobe {
namespace {

[[noreturn]] void refuse(std::string_view what, std::string_view text, std::string cause, std::string advice = {}) {
  throw Error(ErrorCode::usage, fmt::format("cannot read {} '{}'", what, text.substr(0, 80)), std::move(cause),
              std::move(advice));
}

struct Unit {
  std::string_view name;
  double size;
};
constexpr std::array kTimeUnits{Unit{"ns", 1},     Unit{"us", 1e3}, Unit{"µs", 1e3},  Unit{"ms", 1e6},
                                Unit{"min", 6e10}, Unit{"s", 1e9},  Unit{"h", 3.6e12}};
constexpr std::array kSizeUnits{Unit{"B", 1},          Unit{"kB", 1e3},       Unit{"MB", 1e6},      Unit{"GB", 1e9},
                                Unit{"KiB", 0x1.0p10}, Unit{"MiB", 0x1.0p20}, Unit{"GiB", 0x1.0p30}};

// A finite number at the start of `text`; what follows is left in `rest`.
bool leading_number(std::string_view text, double& value, std::string_view& rest) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || !std::isfinite(value)) return false;
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return true;
}

struct Quantity {
  std::string_view noun, form;  // "time"; how to write one
  std::span<const Unit> units;
  bool bare_zero;  // a 0 needs no unit
};
constexpr Quantity kTime{"time", "Write a number and a unit, for example 10ms, 250us or 1.5s.", kTimeUnits, true};
constexpr Quantity kSize{"size", "Write a number and a unit, for example 64MiB, 1.5GB or 512B.", kSizeUnits, false};

double parse_quantity(std::string_view text, std::string_view what, const Quantity& q) {
  const std::string form(q.form);
  double value = 0;
  std::string_view unit;
  if (!leading_number(trim(text), value, unit)) refuse(what, text, fmt::format("it is not a {}", q.noun), form);
  unit = trim(unit);
  if (value < 0) refuse(what, text, fmt::format("a {} cannot be negative", q.noun), form);
  if (unit.empty() && value == 0 && q.bare_zero) return 0;
  if (unit.empty()) refuse(what, text, "it has no unit", form);
  const auto u = std::find_if(q.units.begin(), q.units.end(), [&](const Unit& x) { return x.name == unit; });
  if (u == q.units.end()) refuse(what, text, fmt::format("'{}' is not a unit of {}", unit, q.noun), form);
  return value * u->size;
}

}  // namespace

nanoseconds parse_time(std::string_view text, std::string_view what) {
  const double ns = parse_quantity(text, what, kTime);
  if (ns > 9e18) refuse(what, text, "it is longer than 285 years");
  return to_nanoseconds(ns);
}

Bytes parse_bytes(std::string_view text, std::string_view what) {
  const double bytes = std::round(parse_quantity(text, what, kSize));
  if (bytes > 0x1.0p50) refuse(what, text, "no machine has that much memory");
  return {static_cast<std::uint64_t>(bytes)};
}

double parse_number(std::string_view text, std::string_view what) {
  double value = 0;
  std::string_view rest;
  if (!leading_number(trim(text), value, rest) || !rest.empty()) refuse(what, text, "it is not a number");
  return value;
}

std::int64_t parse_integer(std::string_view text, std::string_view what) {
  const std::string_view t = trim(text);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(t.data(), t.data() + t.size(), value);
  if (code == std::errc::result_out_of_range) refuse(what, text, "it is too large");
  if (code != std::errc() || end != t.data() + t.size()) refuse(what, text, "it is not a whole number");
  return value;
}

double parse_share(std::string_view text, std::string_view what) {
  std::string_view t = trim(text);
  const bool percent = !t.empty() && t.back() == '%';
  if (percent) t.remove_suffix(1);
  const double value = parse_number(t, what) / (percent ? 100 : 1);
  if (value < 0 || value > 1) refuse(what, text, "it must be between 0 and 1, or between 0 % and 100 %");
  return value;
}

double parse_percentile(std::string_view text, std::string_view what) {
  const char* form = "Write it like 99, p99 or 99.9.";
  std::string_view t = trim(text), rest;
  if (t.starts_with('p') || t.starts_with('P')) t.remove_prefix(1);
  if (t.ends_with('%')) t.remove_suffix(1);
  double value = 0;
  if (!leading_number(t, value, rest) || !rest.empty()) refuse(what, text, "it is no percentile", form);
  if (value > 0 && value < 1)
    refuse(what, text, "percentiles are between 1 and 100 here", fmt::format("Did you mean {:.10g}?", 100 * value));
  if (value < 1 || value >= 100) refuse(what, text, "a percentile is at least 1 and below 100", form);
  return value / 100;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t from = 0;
  for (;;) {
    const std::size_t to = text.find(separator, from);
    parts.push_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return parts;
    from = to + 1;
  }
}

std::string_view trim(std::string_view text) {
  const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

std::pair<std::string, std::string> parse_assignment(std::string_view text, std::string_view what) {
  const std::size_t eq = text.find('=');
  if (eq == std::string_view::npos || eq == 0) refuse(what, text, "it has no '='", "Write name=value.");
  return {std::string(text.substr(0, eq)), std::string(text.substr(eq + 1))};
}

ShapeText parse_shape(std::string_view text, std::string_view what) {
  const char* form = "Write it like 1x3x224x224, with the type behind a colon if it must differ: 1x128:i64.";
  ShapeText shape;
  std::string_view dims = text;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    shape.type = text.substr(colon + 1);
    dims = text.substr(0, colon);
    if (shape.type.empty()) refuse(what, text, "nothing follows the colon", form);
  }
  if (dims == "scalar") return shape;
  constexpr std::int64_t kLimit = std::int64_t{1} << 62;
  std::int64_t product = 1;
  for (const std::string_view part : split(dims, 'x')) {
    std::int64_t d = 0;
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), d);
    if (code == std::errc::result_out_of_range) refuse(what, text, "a dimension is too large");
    if (part.empty() || code != std::errc() || end != part.data() + part.size()) {
      refuse(what, text, fmt::format("'{}' is not a dimension", part), form);
    }
    if (d < 1)
      refuse(what, text,
             fmt::format("dimension {} is {}, and every dimension must be at least 1", shape.dims.size(), d));
    if (product > kLimit / d) refuse(what, text, "it has more elements than any memory can hold");
    product *= d;
    shape.dims.push_back(d);
  }
  return shape;
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  const auto distance = [](std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
      std::size_t diagonal = std::exchange(row[0], i + 1);
      for (std::size_t j = 0; j < b.size(); ++j) {
        const std::size_t substitute = diagonal + (a[i] != b[j]);
        diagonal = row[j + 1];
        row[j + 1] = std::min({substitute, row[j] + 1, row[j + 1] + 1});
      }
    }
    return row.back();
  };
  word = word.substr(0, 100);
  std::string best;
  std::size_t best_distance = 1 + std::max<std::size_t>(2, word.size() / 3);
  for (const std::string& c : candidates) {
    const std::size_t d = distance(word, c);
    if (d < best_distance) {
      best = c;
      best_distance = d;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string n = nearest(word, candidates);
  return n.empty() ? "" : fmt::format(" Did you mean '{}'?", n);
}

}  // namespace strobe
