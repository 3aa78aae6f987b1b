#include "workload/tensor_type.h"

#include <algorithm>
#include <array>

namespace strobe {
namespace {

struct Row {
  TensorType type;
  std::string_view name;
  std::size_t size;
};
constexpr std::array kRows{
    Row{TensorType::f16, "f16", 2},     Row{TensorType::bf16, "bf16", 2}, Row{TensorType::f32, "f32", 4},
    Row{TensorType::f64, "f64", 8},     Row{TensorType::i8, "i8", 1},     Row{TensorType::i16, "i16", 2},
    Row{TensorType::i32, "i32", 4},     Row{TensorType::i64, "i64", 8},   Row{TensorType::u8, "u8", 1},
    Row{TensorType::u16, "u16", 2},     Row{TensorType::u32, "u32", 4},   Row{TensorType::u64, "u64", 8},
    Row{TensorType::boolean, "bool", 1}};

const Row& row(TensorType t) {
  return *std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.type == t; });
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
  for (const Row& r : kRows) {
    if (r.name == text) return r.type;
  }
  return std::nullopt;
}

}  // namespace strobe
