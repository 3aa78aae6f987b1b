// SPDX-License-Identifier: Apache-2.0
// Element types of ONNX Runtime and ours.
#pragma once

#include "workload/runtime/onnxruntime/api.h"
#include "workload/tensor/element_types.h"

namespace strobe::onnxruntime {

inline constexpr ElementType<ONNXTensorElementDataType> kElementTypes[]{
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, TensorType::f16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, TensorType::bf16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, TensorType::f32},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, TensorType::f64},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, TensorType::i8},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16, TensorType::i16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, TensorType::i32},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, TensorType::i64},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, TensorType::u8},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16, TensorType::u16},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32, TensorType::u32},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64, TensorType::u64},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, TensorType::boolean}};

inline std::optional<TensorType> from_onnx(ONNXTensorElementDataType type) {
  return our_type(kElementTypes, type);
}

inline ONNXTensorElementDataType to_onnx(TensorType type) {
  return their_type(kElementTypes, type).value_or(ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED);
}

}  // namespace strobe::onnxruntime
