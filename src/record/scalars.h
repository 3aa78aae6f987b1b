// Looking a fact or a setting up: its value when it is there and of that type.
#pragma once

#include <optional>
#include <string_view>

#include <strobe/record.h>

namespace strobe {

template <class T>
std::optional<T> fact(const Scalars& facts, std::string_view key) {
  const auto it = facts.find(key);
  const T* x = it == facts.end() ? nullptr : std::get_if<T>(&it->second);
  return x ? std::optional<T>(*x) : std::nullopt;
}

}  // namespace strobe
