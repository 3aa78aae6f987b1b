// SPDX-License-Identifier: Apache-2.0
// Element types of OpenVINO and ours.
#pragma once

#include "workload/runtime/openvino/api.h"
#include "workload/tensor/element_types.h"

namespace strobe::openvino {

inline constexpr ElementType<ov_element_type_e> kElementTypes[]{
    {F16, TensorType::f16},        {BF16, TensorType::bf16}, {F32, TensorType::f32}, {F64, TensorType::f64},
    {I8, TensorType::i8},          {I16, TensorType::i16},   {I32, TensorType::i32}, {I64, TensorType::i64},
    {U8, TensorType::u8},          {U16, TensorType::u16},   {U32, TensorType::u32}, {U64, TensorType::u64},
    {BOOLEAN, TensorType::boolean}};

inline std::optional<TensorType> from_openvino(ov_element_type_e type) {
  return our_type(kElementTypes, type);
}

inline ov_element_type_e to_openvino(TensorType type) {
  return their_type(kElementTypes, type).value_or(DYNAMIC);
}

}  // namespace strobe::openvino
