// Element types of ONNX Runtime and ours.
#pragma once

#include <array>
#include <optional>

#include "workload/onnxruntime/api.h"
#include "workload/tensor_type.h"

namespace strobe::onnxruntime {

struct ElementType {
  ONNXTensorElementDataType onnx;
  TensorType type;
};
inline constexpr std::array kElementTypes{ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, TensorType::f16},
                                          ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, TensorType::bf16},
                                          ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, TensorType::f32},
                                          ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, TensorType::f64},
                                          ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, TensorType::i8},
                                          ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16, TensorType::i16},
                                          ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, TensorType::i32},
                                          ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, TensorType::i64},
                                          ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, TensorType::u8},
                                          ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16, TensorType::u16},
                                          ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32, TensorType::u32},
                                          ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64, TensorType::u64},
                                          ElementType{ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, TensorType::boolean}};

inline std::optional<TensorType> from_onnx(ONNXTensorElementDataType t) {
  for (const ElementType& e : kElementTypes) {
    if (e.onnx == t) return e.type;
  }
  return std::nullopt;
}

inline ONNXTensorElementDataType to_onnx(TensorType t) {
  for (const ElementType& e : kElementTypes) {
    if (e.type == t) return e.onnx;
  }
  return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
}

}  // namespace strobe::onnxruntime
