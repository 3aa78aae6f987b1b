// SPDX-License-Identifier: Apache-2.0
// Values of tensors: random ones to feed a model, and looking at what came out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <strobe/model.h>

#include "base/random.h"
#include "workload/tensor/tensor_type.h"

namespace strobe {

// "0..30000"; low below high. Throws a usage Error that calls it `what`.
ValueRange parse_range(std::string_view text, std::string_view what);

// Floats are normal with mean 0 and deviation 1, as images and activations are after normalisation; integers are 0 or
// 1, which every embedding table has; bool is a coin. A range, where given, makes both uniform within it.
void fill_random(TensorType, std::span<std::byte> to, Random&, const ValueRange* range = nullptr);

// The values an integer type can hold, and the finite ones of a float type. `high` is one more than the largest
// integer.
ValueRange limits_of(TensorType);

float half_to_float(std::uint16_t bits);
std::uint16_t float_to_half(float);
std::uint16_t float_to_bfloat(float);

// Element `i` as a double.
double element(TensorType, std::span<const std::byte>, std::size_t i);

// How two tensors of the same type and size differ.
struct Difference {
  bool finite = true;  // both
  double relative =
      0;  // largest |a - b| over the largest |b|; at least 1 where one is NaN or infinite and the other not
};
Difference compare(TensorType, std::span<const std::byte> a, std::span<const std::byte> b);

// How many values of a float tensor are special. Subnormal: not 0, but below the type's smallest normal number.
struct SpecialValues {
  std::size_t zero = 0, subnormal = 0, not_finite = 0;
};
SpecialValues special_values(TensorType, std::span<const std::byte>);

// How many elements have the value that more than half of them have. 0 where no value has that many, and of fewer than
// 8 elements: a scalar is no constant tensor.
std::size_t repeated_values(TensorType, std::span<const std::byte>);

}  // namespace strobe
