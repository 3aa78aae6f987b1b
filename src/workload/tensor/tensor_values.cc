// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/tensor_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"

namespace strobe {
namespace {

template <class T>
T load(std::span<const std::byte> bytes, std::size_t i) {
  T x;
  std::memcpy(&x, bytes.data() + i * sizeof(T), sizeof(T));
  return x;
}

template <class T>
void store(std::span<std::byte> bytes, std::size_t i, T x) {
  std::memcpy(bytes.data() + i * sizeof(T), &x, sizeof(T));
}

void store_as(TensorType type, std::span<std::byte> to, std::size_t i, double x) {
  switch (type) {
    case TensorType::f16:
      return store(to, i, float_to_half(static_cast<float>(x)));
    case TensorType::bf16:
      return store(to, i, float_to_bfloat(static_cast<float>(x)));
    case TensorType::f32:
      return store(to, i, static_cast<float>(x));
    case TensorType::f64:
      return store(to, i, x);
    case TensorType::i8:
      return store(to, i, static_cast<std::int8_t>(x));
    case TensorType::i16:
      return store(to, i, static_cast<std::int16_t>(x));
    case TensorType::i32:
      return store(to, i, static_cast<std::int32_t>(x));
    case TensorType::i64:
      return store(to, i, static_cast<std::int64_t>(x));
    case TensorType::u8:
      return store(to, i, static_cast<std::uint8_t>(x));
    case TensorType::u16:
      return store(to, i, static_cast<std::uint16_t>(x));
    case TensorType::u32:
      return store(to, i, static_cast<std::uint32_t>(x));
    case TensorType::u64:
      return store(to, i, static_cast<std::uint64_t>(x));
    case TensorType::boolean:
      return store(to, i, static_cast<std::uint8_t>(x != 0));
  }
}

}  // namespace

ValueRange parse_range(std::string_view text, std::string_view what) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos)
    throw Error(ErrorCode::usage, fmt::format("cannot read {} '{}'", what, text.substr(0, 80)), "it has no '..'",
                "Write low..high, for example 0..30000.");
  const ValueRange r{parse_number(text.substr(0, dots), what), parse_number(text.substr(dots + 2), what)};
  if (!(r.low < r.high))
    throw Error(ErrorCode::usage, fmt::format("cannot read {} '{}'", what, text.substr(0, 80)),
                "the lower end is not below the upper one");
  return r;
}

// Binary16: 1 sign, 5 exponent, 10 fraction bits. Scaling by powers of two lets the float unit do subnormals and
// rounding.
float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t rest = bits & 0x7fffu;
  if (rest >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  const float magnitude = std::bit_cast<float>(rest << 13) * 0x1p112f;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

std::uint16_t float_to_half(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const float a = std::fabs(x);
  if (!(a < 65520.0f)) return static_cast<std::uint16_t>(sign | (std::isnan(x) ? 0x7e00u : 0x7c00u));
  if (a < 0x1p-14f) return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::lrint(a * 0x1p24f)));
  const auto scaled = std::bit_cast<std::uint32_t>(a * 0x1p-112f);
  return static_cast<std::uint16_t>(sign | (scaled + 0xfffu + (scaled >> 13 & 1u)) >> 13);
}

std::uint16_t float_to_bfloat(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if (std::isnan(x)) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

double element(TensorType type, std::span<const std::byte> from, std::size_t i) {
  switch (type) {
    case TensorType::f16:
      return half_to_float(load<std::uint16_t>(from, i));
    case TensorType::bf16:
      return std::bit_cast<float>(static_cast<std::uint32_t>(load<std::uint16_t>(from, i)) << 16);
    case TensorType::f32:
      return load<float>(from, i);
    case TensorType::f64:
      return load<double>(from, i);
    case TensorType::i8:
      return load<std::int8_t>(from, i);
    case TensorType::i16:
      return load<std::int16_t>(from, i);
    case TensorType::i32:
      return load<std::int32_t>(from, i);
    case TensorType::i64:
      return static_cast<double>(load<std::int64_t>(from, i));
    case TensorType::u8:
    case TensorType::boolean:
      return load<std::uint8_t>(from, i);
    case TensorType::u16:
      return load<std::uint16_t>(from, i);
    case TensorType::u32:
      return load<std::uint32_t>(from, i);
    case TensorType::u64:
      return static_cast<double>(load<std::uint64_t>(from, i));
  }
  return 0;
}

ValueRange limits_of(TensorType type) {
  switch (type) {
    case TensorType::f16:
      return {-65504, 65504};
    case TensorType::bf16:
    case TensorType::f32:
      return {-3.3e38, 3.3e38};
    case TensorType::f64:
      return {-1.7e308, 1.7e308};
    case TensorType::i8:
      return {-0x1p7, 0x1p7};
    case TensorType::i16:
      return {-0x1p15, 0x1p15};
    case TensorType::i32:
      return {-0x1p31, 0x1p31};
    case TensorType::i64:
      return {-0x1p63, 0x1p63};
    case TensorType::u8:
      return {0, 0x1p8};
    case TensorType::u16:
      return {0, 0x1p16};
    case TensorType::u32:
      return {0, 0x1p32};
    case TensorType::u64:
      return {0, 0x1p64};
    case TensorType::boolean:
      return {0, 2};
  }
  return {};
}

void fill_random(TensorType type, std::span<std::byte> to, Random& random, const ValueRange* range) {
  const std::size_t n = to.size() / size_of(type);
  for (std::size_t i = 0; i < n; ++i) {
    double x = 0;
    if (range) {
      x = range->low + (range->high - range->low) * random.uniform();
      if (!is_float(type)) x = std::floor(x);
    } else {
      x = is_float(type) ? random.normal() : static_cast<double>(random.bits() >> 63);
    }
    store_as(type, to, i, x);
  }
}

Difference compare(TensorType type, std::span<const std::byte> a, std::span<const std::byte> b) {
  Difference d;
  double largest = 0, worst = 0;
  bool differ = false;  // in what has no distance
  const std::size_t n = a.size() / size_of(type);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = element(type, a, i), y = element(type, b, i);
    if (!std::isfinite(x) || !std::isfinite(y)) {
      d.finite = false;
      differ = differ || (x != y && !(std::isnan(x) && std::isnan(y)));
      continue;
    }
    largest = std::max(largest, std::fabs(y));
    worst = std::max(worst, std::fabs(x - y));
  }
  d.relative = largest > 0 ? worst / largest : worst > 0 ? 1 : 0;
  if (differ) d.relative = std::max(d.relative, 1.0);
  return d;
}

SpecialValues special_values(TensorType type, std::span<const std::byte> from) {
  const double smallest = type == TensorType::f16 ? 0x1p-14 : type == TensorType::f64 ? 0x1p-1022 : 0x1p-126;
  SpecialValues found;
  for (std::size_t i = 0; i < from.size() / size_of(type); ++i) {
    const double x = element(type, from, i);
    found.zero += x == 0;
    found.subnormal += x != 0 && std::fabs(x) < smallest;
    found.not_finite += !std::isfinite(x);
  }
  return found;
}

// Boyer and Moore's vote: each other value takes a vote from the leading one, so what more than half have is left at
// the end. Whether anything has that many, only counting tells.
std::size_t repeated_values(TensorType type, std::span<const std::byte> from) {
  constexpr std::size_t kFew = 8;
  const std::size_t n = from.size() / size_of(type);
  if (n < kFew) return 0;
  double leading = 0;
  std::size_t votes = 0, count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = element(type, from, i);
    if (votes == 0) leading = x;
    votes = x == leading ? votes + 1 : votes - std::min<std::size_t>(votes, 1);
  }
  if (votes == 0) return 0;
  for (std::size_t i = 0; i < n; ++i) count += element(type, from, i) == leading;
  return 2 * count > n ? count : 0;
}

}  // namespace strobe
