// SPDX-License-Identifier: Apache-2.0
// How many floating-point operations an operator does, from the shapes of its inputs and outputs alone: attributes of
// convolutions and products show in their shapes. A multiply-add counts 2.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace strobe {

using Shape = std::vector<std::int64_t>;

double elements(const Shape&);

// None: there is no formula for this operator.
std::optional<double> operator_flops(std::string_view op, std::span<const Shape> inputs,
                                     std::span<const Shape> outputs);

}  // namespace strobe
