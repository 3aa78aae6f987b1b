// SPDX-License-Identifier: Apache-2.0
// Element types of torch and ours.
#pragma once

#include <c10/core/ScalarType.h>
#include <string>

#include "workload/tensor/element_types.h"

namespace strobe::torch_plugin {

inline constexpr ElementType<c10::ScalarType> kElementTypes[]{
    {c10::ScalarType::Half, TensorType::f16},    {c10::ScalarType::BFloat16, TensorType::bf16},
    {c10::ScalarType::Float, TensorType::f32},   {c10::ScalarType::Double, TensorType::f64},
    {c10::ScalarType::Char, TensorType::i8},     {c10::ScalarType::Short, TensorType::i16},
    {c10::ScalarType::Int, TensorType::i32},     {c10::ScalarType::Long, TensorType::i64},
    {c10::ScalarType::Byte, TensorType::u8},     {c10::ScalarType::UInt16, TensorType::u16},
    {c10::ScalarType::UInt32, TensorType::u32},  {c10::ScalarType::UInt64, TensorType::u64},
    {c10::ScalarType::Bool, TensorType::boolean}};

inline std::optional<TensorType> from_torch(c10::ScalarType type) {
  return our_type(kElementTypes, type);
}

inline c10::ScalarType to_torch(TensorType type) {
  return their_type(kElementTypes, type).value_or(c10::ScalarType::Undefined);
}

// What --dtype names; nothing when it names nothing.
inline std::optional<TensorType> converted_type(const std::string& dtype) {
  if (dtype == "fp16") return TensorType::f16;
  if (dtype == "bf16") return TensorType::bf16;
  return std::nullopt;
}

}  // namespace strobe::torch_plugin
