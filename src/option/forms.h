// SPDX-License-Identifier: Apache-2.0
// What follows from a table of options: the JSON form that goes to workers, the settings of a record, what a program
// may set, and which option was given where it has no meaning.
#pragma once

#include <functional>
#include <span>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "option/option.h"

namespace strobe {

// What is not given is left out: the other end is of the same build and has the same defaults.
template <class T>
nlohmann::json options_json(std::span<const Option<T>> table, const std::type_identity_t<T>& t) {
  nlohmann::json j = nlohmann::json::object();
  for (const Option<T>& o : table) {
    if (o.traits.handed_on && o.form.given(t)) o.form.write(t, j[o.key()]);
  }
  return j;
}

template <class T>
void take_options(std::span<const Option<T>> table, const nlohmann::json& from, std::type_identity_t<T>& t) {
  for (const auto& [key, value] : from.items()) {
    const auto row =
        std::find_if(table.begin(), table.end(), [&, &k = key](const Option<T>& o) { return o.key() == k; });
    if (row == table.end()) throw Error(ErrorCode::usage, fmt::format("there is no option '{}'", key));
    row->form.take(value, t);
  }
}

// Throws Error (usage) for a value that the command line would refuse.
template <class T>
void check_options(std::span<const Option<T>> table, const std::type_identity_t<T>& t) {
  for (const Option<T>& o : table) o.form.check(t, o.typed_name());
}

// `concerns`: only those that it is true of.
template <class T>
void describe_options(std::span<const Option<T>> table, const std::type_identity_t<T>& t, Scalars& settings,
                      bool (*concerns)(const OptionTraits&) = nullptr) {
  for (const Option<T>& o : table) {
    if (concerns && !concerns(o.traits)) continue;
    const bool recorded =
        o.traits.recorded == Recorded::always || (o.traits.recorded == Recorded::where_given && o.form.given(t));
    if (recorded) o.form.describe(t, o.setting(), settings);
  }
}

// The first of those given that `concerns` is true of; null: none.
template <class T>
const Option<T>* given_option(std::span<const Option<T>> table, const std::type_identity_t<T>& t,
                              const std::function<bool(const OptionTraits&)>& concerns) {
  for (const Option<T>& o : table) {
    if (concerns(o.traits) && o.form.given(t)) return &o;
  }
  return nullptr;
}

// Throws Error (usage) for an option that means nothing where functions of the user's are measured.
template <class T>
void refuse_beside_callables(std::span<const Option<T>> table, const std::type_identity_t<T>& t) {
  const auto* option = given_option(table, t, [](const OptionTraits& o) { return !o.not_callables.empty(); });
  if (option)
    throw Error(ErrorCode::usage, fmt::format("cannot use the option '{}' here", option->key()),
                std::string(option->traits.not_callables), std::string(option->traits.instead));
}

}  // namespace strobe
