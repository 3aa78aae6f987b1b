// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/operator_work.h"

#include <algorithm>
#include <array>

namespace strobe {
namespace {

using Shapes = std::span<const Shape>;
using Formula = double (*)(Shapes in, Shapes out);

struct OperatorRow {
  std::string_view op;
  Formula formula;
};

double per_output(Shapes, Shapes out) {
  return elements(out[0]);
}
double per_input(Shapes in, Shapes) {
  return elements(in[0]);
}
double nothing(Shapes, Shapes) {
  return 0;
}

// Weights are M × C/groups × kernel: each output element takes a product with C/groups × kernel of them.
double convolution(Shapes in, Shapes out) {
  if (in.size() < 2 || in[1].size() < 3 || in[1][0] == 0) return 0;
  return 2 * elements(out[0]) * elements(in[1]) / static_cast<double>(in[1][0]);
}

// Weights are C × M/groups × kernel: each input element is spread over M/groups × kernel outputs.
double transposed_convolution(Shapes in, Shapes) {
  if (in.size() < 2 || in[1].empty() || in[1][0] == 0) return 0;
  return 2 * elements(in[0]) * elements(in[1]) / static_cast<double>(in[1][0]);
}

// out is M × N; the first factor has M × K elements, transposed or not.
double matrix_product(Shapes in, Shapes out) {
  if (in.empty() || out[0].size() < 2 || out[0][out[0].size() - 1] == 0) return 0;
  const double rows = elements(out[0]) / static_cast<double>(out[0].back());
  return rows > 0 ? 2 * elements(out[0]) * elements(in[0]) / rows : 0;
}

// ONNX: X × W of an MatMul may be one vector.
double product(Shapes in, Shapes out) {
  if (in.size() < 2 || in[0].empty()) return 0;
  return 2 * elements(out[0]) * static_cast<double>(in[0].back());
}

double normalization(Shapes in, Shapes) {
  return 5 * elements(in[0]);
}
double transcendental(Shapes, Shapes out) {
  return 4 * elements(out[0]);  // a convention: what an exponential costs depends on the machine
}
double pooling(Shapes in, Shapes out) {
  return std::max(elements(in[0]), elements(out[0]));
}

constexpr std::array kOperatorRows{
    OperatorRow{"Conv", convolution},
    OperatorRow{"FusedConv", convolution},
    OperatorRow{"NhwcConv", convolution},
    OperatorRow{"NhwcFusedConv", convolution},
    OperatorRow{"ConvInteger", convolution},
    OperatorRow{"ConvTranspose", transposed_convolution},
    OperatorRow{"Gemm", matrix_product},
    OperatorRow{"FusedGemm", matrix_product},
    OperatorRow{"MatMul", product},
    OperatorRow{"FusedMatMul", product},
    OperatorRow{"MatMulInteger", product},
    OperatorRow{"BatchNormalization", normalization},
    OperatorRow{"LayerNormalization", normalization},
    OperatorRow{"SkipLayerNormalization", normalization},
    OperatorRow{"InstanceNormalization", normalization},
    OperatorRow{"GroupNorm", normalization},
    OperatorRow{"Softmax", normalization},
    OperatorRow{"LogSoftmax", normalization},
    OperatorRow{"Sigmoid", transcendental},
    OperatorRow{"Tanh", transcendental},
    OperatorRow{"Exp", transcendental},
    OperatorRow{"Log", transcendental},
    OperatorRow{"Erf", transcendental},
    OperatorRow{"Gelu", transcendental},
    OperatorRow{"FastGelu", transcendental},
    OperatorRow{"BiasGelu", transcendental},
    OperatorRow{"QuickGelu", transcendental},
    OperatorRow{"HardSwish", transcendental},
    OperatorRow{"MaxPool", pooling},
    OperatorRow{"AveragePool", pooling},
    OperatorRow{"GlobalAveragePool", per_input},
    OperatorRow{"GlobalMaxPool", per_input},
    OperatorRow{"ReduceMean", per_input},
    OperatorRow{"ReduceSum", per_input},
    OperatorRow{"ReduceMax", per_input},
    OperatorRow{"Relu", per_output},
    OperatorRow{"LeakyRelu", per_output},
    OperatorRow{"PRelu", per_output},
    OperatorRow{"Clip", per_output},
    OperatorRow{"HardSigmoid", per_output},
    OperatorRow{"Add", per_output},
    OperatorRow{"Sub", per_output},
    OperatorRow{"Mul", per_output},
    OperatorRow{"Div", per_output},
    OperatorRow{"Pow", per_output},
    OperatorRow{"Sqrt", per_output},
    OperatorRow{"Neg", per_output},
    OperatorRow{"Abs", per_output},
    OperatorRow{"Min", per_output},
    OperatorRow{"Max", per_output},
    OperatorRow{"Sum", per_output},
    OperatorRow{"LRN", transcendental},
    OperatorRow{"Identity", nothing},
    OperatorRow{"Reshape", nothing},
    OperatorRow{"Flatten", nothing},
    OperatorRow{"Transpose", nothing},
    OperatorRow{"Concat", nothing},
    OperatorRow{"Split", nothing},
    OperatorRow{"Slice", nothing},
    OperatorRow{"Squeeze", nothing},
    OperatorRow{"Unsqueeze", nothing},
    OperatorRow{"Expand", nothing},
    OperatorRow{"Gather", nothing},
    OperatorRow{"Shape", nothing},
    OperatorRow{"Cast", nothing},
    OperatorRow{"Constant", nothing},
    OperatorRow{"ConstantOfShape", nothing},
    OperatorRow{"Dropout", nothing},
    OperatorRow{"Pad", nothing},
    OperatorRow{"MemcpyToHost", nothing},
    OperatorRow{"MemcpyFromHost", nothing},
    OperatorRow{"ReorderInput", nothing},
    OperatorRow{"ReorderOutput", nothing},
};

}  // namespace

double elements(const Shape& shape) {
  double n = 1;
  for (const std::int64_t d : shape) n *= static_cast<double>(d);
  return n;
}

std::optional<double> operator_flops(std::string_view op, Shapes inputs, Shapes outputs) {
  for (const OperatorRow& row : kOperatorRows) {
    if (row.op != op) continue;
    if (row.formula != nothing && (outputs.empty() || inputs.empty())) return std::nullopt;
    return row.formula(inputs, outputs);
  }
  return std::nullopt;
}

}  // namespace strobe
