// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/tensor_type.h"

#include <algorithm>
#include <array>

namespace strobe {
namespace {

struct TypeRow {
  TensorType type;
  std::string_view name;
  std::size_t size;
};
constexpr std::array kTypeRows{
    TypeRow{TensorType::f16, "f16", 2},     TypeRow{TensorType::bf16, "bf16", 2}, TypeRow{TensorType::f32, "f32", 4},
    TypeRow{TensorType::f64, "f64", 8},     TypeRow{TensorType::i8, "i8", 1},     TypeRow{TensorType::i16, "i16", 2},
    TypeRow{TensorType::i32, "i32", 4},     TypeRow{TensorType::i64, "i64", 8},   TypeRow{TensorType::u8, "u8", 1},
    TypeRow{TensorType::u16, "u16", 2},     TypeRow{TensorType::u32, "u32", 4},   TypeRow{TensorType::u64, "u64", 8},
    TypeRow{TensorType::boolean, "bool", 1}};

const TypeRow& row(TensorType t) {
  return *std::find_if(kTypeRows.begin(), kTypeRows.end(), [&](const TypeRow& r) { return r.type == t; });
}

}  // namespace

std::string_view name(TensorType t) {
  return row(t).name;
}
std::size_t size_of(TensorType t) {
  return row(t).size;
}
bool is_float(TensorType t) {
  return t == TensorType::f16 || t == TensorType::bf16 || t == TensorType::f32 || t == TensorType::f64;
}

std::optional<TensorType> parse_tensor_type(std::string_view text) {
  for (const TypeRow& r : kTypeRows) {
    if (r.name == text) return r.type;
  }
  return std::nullopt;
}

}  // namespace strobe
