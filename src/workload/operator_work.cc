#include "workload/operator_work.h"

#include <algorithm>
#include <array>

namespace strobe {
namespace {

using Shapes = std::span<const Shape>;
using Formula = double (*)(Shapes in, Shapes out);

struct Row {
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

constexpr std::array kRows{
    Row{"Conv", convolution},
    Row{"FusedConv", convolution},
    Row{"NhwcConv", convolution},
    Row{"NhwcFusedConv", convolution},
    Row{"ConvInteger", convolution},
    Row{"ConvTranspose", transposed_convolution},
    Row{"Gemm", matrix_product},
    Row{"FusedGemm", matrix_product},
    Row{"MatMul", product},
    Row{"FusedMatMul", product},
    Row{"MatMulInteger", product},
    Row{"BatchNormalization", normalization},
    Row{"LayerNormalization", normalization},
    Row{"SkipLayerNormalization", normalization},
    Row{"InstanceNormalization", normalization},
    Row{"GroupNorm", normalization},
    Row{"Softmax", normalization},
    Row{"LogSoftmax", normalization},
    Row{"Sigmoid", transcendental},
    Row{"Tanh", transcendental},
    Row{"Exp", transcendental},
    Row{"Log", transcendental},
    Row{"Erf", transcendental},
    Row{"Gelu", transcendental},
    Row{"FastGelu", transcendental},
    Row{"BiasGelu", transcendental},
    Row{"QuickGelu", transcendental},
    Row{"HardSwish", transcendental},
    Row{"MaxPool", pooling},
    Row{"AveragePool", pooling},
    Row{"GlobalAveragePool", per_input},
    Row{"GlobalMaxPool", per_input},
    Row{"ReduceMean", per_input},
    Row{"ReduceSum", per_input},
    Row{"ReduceMax", per_input},
    Row{"Relu", per_output},
    Row{"LeakyRelu", per_output},
    Row{"PRelu", per_output},
    Row{"Clip", per_output},
    Row{"HardSigmoid", per_output},
    Row{"Add", per_output},
    Row{"Sub", per_output},
    Row{"Mul", per_output},
    Row{"Div", per_output},
    Row{"Pow", per_output},
    Row{"Sqrt", per_output},
    Row{"Neg", per_output},
    Row{"Abs", per_output},
    Row{"Min", per_output},
    Row{"Max", per_output},
    Row{"Sum", per_output},
    Row{"LRN", transcendental},
    Row{"Identity", nothing},
    Row{"Reshape", nothing},
    Row{"Flatten", nothing},
    Row{"Transpose", nothing},
    Row{"Concat", nothing},
    Row{"Split", nothing},
    Row{"Slice", nothing},
    Row{"Squeeze", nothing},
    Row{"Unsqueeze", nothing},
    Row{"Expand", nothing},
    Row{"Gather", nothing},
    Row{"Shape", nothing},
    Row{"Cast", nothing},
    Row{"Constant", nothing},
    Row{"ConstantOfShape", nothing},
    Row{"Dropout", nothing},
    Row{"Pad", nothing},
    Row{"MemcpyToHost", nothing},
    Row{"MemcpyFromHost", nothing},
    Row{"ReorderInput", nothing},
    Row{"ReorderOutput", nothing},
};

}  // namespace

double elements(const Shape& shape) {
  double n = 1;
  for (const std::int64_t d : shape) n *= static_cast<double>(d);
  return n;
}

std::optional<double> operator_flops(std::string_view op, Shapes inputs, Shapes outputs) {
  for (const Row& row : kRows) {
    if (row.op != op) continue;
    if (row.formula != nothing && (outputs.empty() || inputs.empty())) return std::nullopt;
    return row.formula(inputs, outputs);
  }
  return std::nullopt;
}

}  // namespace strobe
