// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/value_count.h"

namespace strobe {

void ValueCount::add(TensorType type, std::span<const std::byte> values) {
  if (!is_float(type)) return;
  const SpecialValues found = special_values(type, values);
  special_.zero += found.zero;
  special_.subnormal += found.subnormal;
  special_.not_finite += found.not_finite;
  repeated_ += repeated_values(type, values);
  add_ordinary(type, values.size());
}

void ValueCount::add_ordinary(TensorType type, std::size_t bytes) {
  if (is_float(type)) all_ += bytes / size_of(type);
}

std::optional<ValueShares> ValueCount::shares() const {
  if (all_ == 0) return std::nullopt;
  const auto share = [&](std::size_t n) { return static_cast<double>(n) / static_cast<double>(all_); };
  return ValueShares{share(special_.zero), share(special_.subnormal), share(special_.not_finite), share(repeated_)};
}

}  // namespace strobe
