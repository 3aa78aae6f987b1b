// SPDX-License-Identifier: Apache-2.0
// Element types of dense tensors: their names on the command line and in records, and their sizes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace strobe {

enum class TensorType { f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, boolean };

std::string_view name(TensorType);
std::size_t size_of(TensorType);
bool is_float(TensorType);
std::optional<TensorType> parse_tensor_type(std::string_view);

}  // namespace strobe
