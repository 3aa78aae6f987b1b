// SPDX-License-Identifier: Apache-2.0
// How many values of a model's inputs are zero, subnormal, not finite, or the same over and over. Floats alone count:
// half of random bools and small integers are zero, and that means nothing.
#pragma once

#include <optional>
#include <span>

#include <strobe/record.h>

#include "workload/tensor/tensor_values.h"

namespace strobe {

class ValueCount {
 public:
  void add(TensorType, std::span<const std::byte>);
  void add_ordinary(TensorType, std::size_t bytes);  // known to hold nothing special

  std::optional<ValueShares> shares() const;  // none: there was no float

 private:
  SpecialValues special_;
  std::size_t repeated_ = 0;
  std::size_t all_ = 0;
};

}  // namespace strobe
