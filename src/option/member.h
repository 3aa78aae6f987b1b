// SPDX-License-Identifier: Apache-2.0
// A member of a struct as the target of an option. Its kind (option/kinds.h) knows texts and limits; what is optional
// is given where it has a value.
#pragma once

#include <optional>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "option/option.h"

namespace strobe {

template <class M>
struct OptionalValue {
  using type = M;
};
template <class V>
struct OptionalValue<std::optional<V>> {
  using type = V;
};

template <auto Member, class Kind>
struct BoundMember;

template <class T, class M, M T::* Member, class Kind>
struct BoundMember<Member, Kind> {
  using V = typename OptionalValue<M>::type;
  static constexpr bool kOptional = !std::is_same_v<M, V>;

  static const V* value(const T& t) {
    if constexpr (kOptional)
      return t.*Member ? &*(t.*Member) : nullptr;
    else
      return &(t.*Member);
  }

  static void read(const std::vector<std::string>& typed, std::string_view option, T& t) {
    V v{};
    Kind::read(typed, option, v);
    t.*Member = std::move(v);
  }
  static void check(const T& t, std::string_view option) {
    if (const V* v = value(t)) Kind::check(*v, option);
  }
  static bool given(const T& t) { return !(t.*Member == T{}.*Member); }
  static void write(const T& t, nlohmann::json& to) {
    if (const V* v = value(t)) Kind::write(*v, to);
  }
  static void take(const nlohmann::json& from, T& t) {
    V v{};
    Kind::take(from, v);
    t.*Member = std::move(v);
  }
  static void describe(const T& t, const std::string& key, Scalars& settings) {
    if (const V* v = value(t)) Kind::describe(*v, key, settings);
  }

  static constexpr OptionForm<T> form() {
    return {read, check, given, write, take, describe, Kind::kWords, Kind::kSuffix, Kind::kRepeatable, Kind::kFlag};
  }
};

template <auto Member, class Kind>
constexpr auto member() {
  return BoundMember<Member, Kind>::form();
}

}  // namespace strobe
