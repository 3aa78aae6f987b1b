// Element types of torch and ours.
#pragma once

#include <array>
#include <c10/core/ScalarType.h>
#include <optional>

#include "workload/tensor_type.h"

namespace strobe::torch_plugin {

struct ElementType {
  c10::ScalarType torch;
  TensorType type;
};
inline constexpr std::array kElementTypes{
    ElementType{c10::ScalarType::Half, TensorType::f16},    ElementType{c10::ScalarType::BFloat16, TensorType::bf16},
    ElementType{c10::ScalarType::Float, TensorType::f32},   ElementType{c10::ScalarType::Double, TensorType::f64},
    ElementType{c10::ScalarType::Char, TensorType::i8},     ElementType{c10::ScalarType::Short, TensorType::i16},
    ElementType{c10::ScalarType::Int, TensorType::i32},     ElementType{c10::ScalarType::Long, TensorType::i64},
    ElementType{c10::ScalarType::Byte, TensorType::u8},     ElementType{c10::ScalarType::UInt16, TensorType::u16},
    ElementType{c10::ScalarType::UInt32, TensorType::u32},  ElementType{c10::ScalarType::UInt64, TensorType::u64},
    ElementType{c10::ScalarType::Bool, TensorType::boolean}};

inline std::optional<TensorType> from_torch(c10::ScalarType t) {
  for (const ElementType& e : kElementTypes) {
    if (e.torch == t) return e.type;
  }
  return std::nullopt;
}

inline c10::ScalarType to_torch(TensorType t) {
  for (const ElementType& e : kElementTypes) {
    if (e.type == t) return e.torch;
  }
  return c10::ScalarType::Undefined;
}

// What --dtype names; nothing when it names nothing.
inline std::optional<TensorType> converted_type(const std::string& dtype) {
  if (dtype == "fp16") return TensorType::f16;
  if (dtype == "bf16") return TensorType::bf16;
  return std::nullopt;
}

}  // namespace strobe::torch_plugin
