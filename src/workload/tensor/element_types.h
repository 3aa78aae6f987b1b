// SPDX-License-Identifier: Apache-2.0
// A runtime's element types and ours: a table of pairs, read both ways.
#pragma once

#include <cstddef>
#include <optional>

#include "workload/tensor/tensor_type.h"

namespace strobe {

template <class Theirs>
struct ElementType {
  Theirs theirs;
  TensorType ours;
};

template <class Theirs, std::size_t N>
constexpr std::optional<TensorType> our_type(const ElementType<Theirs> (&table)[N], Theirs type) {
  for (const ElementType<Theirs>& row : table) {
    if (row.theirs == type) return row.ours;
  }
  return std::nullopt;
}

template <class Theirs, std::size_t N>
constexpr std::optional<Theirs> their_type(const ElementType<Theirs> (&table)[N], TensorType type) {
  for (const ElementType<Theirs>& row : table) {
    if (row.ours == type) return row.theirs;
  }
  return std::nullopt;
}

}  // namespace strobe
