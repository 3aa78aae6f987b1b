// SPDX-License-Identifier: Apache-2.0
// Looking a fact or a setting up: its value when it is there and of that type. A whole number is a number, too: JSON
// does not tell 0 from 0.0.
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>

#include <strobe/record.h>

namespace strobe {

template <class T>
std::optional<T> fact(const Scalars& facts, std::string_view key) {
  const auto it = facts.find(key);
  const T* x = it == facts.end() ? nullptr : std::get_if<T>(&it->second);
  if (x) return *x;
  if constexpr (std::is_same_v<T, double>) {
    if (const auto whole = fact<std::int64_t>(facts, key)) return static_cast<double>(*whole);
  }
  return std::nullopt;
}

}  // namespace strobe
