// SPDX-License-Identifier: Apache-2.0
// YAML maps as tables of known keys. Every complaint begins with file, line and column and says what was expected; an
// unknown key is shown with the nearest known one.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <yaml-cpp/yaml.h>

#include <strobe/error.h>

namespace strobe::cli::yaml {

// A value together with what it is called and the file it is from.
struct Value {
  YAML::Node node;
  std::string key;
  const std::string* file = nullptr;
  YAML::Mark key_mark = YAML::Mark::null_mark();  // none: it has no key of its own

  std::string where() const;  // "pipe.yaml:7:5"
  [[noreturn]] void refuse(const std::string& what, std::string cause = {}, std::string advice = {}) const;
  // The same at the key: where that is wrong, not what stands behind it.
  [[noreturn]] void refuse_key(const std::string& what, std::string cause = {}, std::string advice = {}) const;

  std::string text() const;  // a scalar that is not empty
  bool is_map() const { return node.IsMap(); }
  std::vector<Value> list() const;                         // of a sequence; a scalar is a list of one
  std::vector<std::pair<std::string, Value>> map() const;  // in order; no key twice

  // What one of base/parse.h's functions makes of the scalar; its complaint gets the position.
  template <class Parse>
  auto read(Parse&& parse) const {
    const std::string scalar = text();
    try {
      return parse(std::string_view(scalar), std::string_view(key));
    } catch (const Error& e) {
      refuse(e.thing(), e.cause(), e.advice());
    }
  }
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
};

template <class T>
struct Key {
  std::string_view name;
  void (*read)(const Value&, T&);
};

// The names of a table, for complaints and for looking whether a key belongs to another table.
template <class Keys>
std::vector<std::string> names_of(const Keys& keys) {
  std::vector<std::string> names;
  for (const auto& k : keys) names.emplace_back(k.name);
  return names;
}

[[noreturn]] void unknown_key(const Value&, std::string_view of, const std::vector<std::string>& known);

// Reads every key of a map by its row. Gives the names that were there.
template <class T, class Keys>
std::set<std::string> read_map(const Value& map, std::string_view what, const Keys& keys, T& into) {
  std::set<std::string> seen;
  for (const auto& [name, value] : map.map()) {
    const auto row = std::find_if(keys.begin(), keys.end(), [&, n = name](const auto& k) { return k.name == n; });
    if (row == keys.end()) unknown_key(value, what, names_of(keys));
    row->read(value, into);
    seen.insert(name);
  }
  return seen;
}

// The one document of a text. Aliases are refused: a file that refers to itself has no end.
Value parse(const std::string& text, const std::string& file);

}  // namespace strobe::cli::yaml
