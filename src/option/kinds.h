// SPDX-License-Identifier: Apache-2.0
// Kinds of values that options have: how each is typed, what it may be, and what it is in JSON and among settings. The
// limits are said twice, to people who type (`read`) and to programs that set a member (`check`).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>
#include <strobe/record.h>

#include "base/parse.h"
#include "base/units.h"

namespace strobe::kinds {

[[noreturn]] void refuse(std::string what, std::string cause, std::string advice = {});

// A whole number within limits, as typed and as set.
std::int64_t read_count(std::string_view text, std::string_view option, std::int64_t least, std::int64_t most);
void check_count(std::int64_t n, std::string_view option, std::int64_t least, std::int64_t most);

// What most kinds share: any value, which JSON and settings have as it is.
struct Plain {
  static constexpr std::vector<std::string> (*kWords)() = nullptr;
  static constexpr std::string_view kSuffix = {};
  static constexpr bool kRepeatable = false, kFlag = false;

  template <class V>
  static void check(const V&, std::string_view) {}
  template <class V>
  static void write(const V& v, nlohmann::json& to) {
    to = v;
  }
  template <class V>
  static void take(const nlohmann::json& from, V& v) {
    from.get_to(v);
  }
};

struct Text : Plain {
  static void read(const std::vector<std::string>& typed, std::string_view, std::string& v) { v = typed.back(); }
  static void describe(const std::string& v, const std::string& key, Scalars& s) { s[key] = v; }
};

struct Flag : Plain {
  static constexpr bool kFlag = true;
  static void read(const std::vector<std::string>&, std::string_view, bool& v) { v = true; }
  static void describe(bool v, const std::string& key, Scalars& s) { s[key] = v; }
};

// --no-x: the setting is x.
struct Without : Flag {
  static void describe(bool v, const std::string& key, Scalars& s) {
    s[key.substr(std::string_view("no_").size())] = !v;
  }
};

template <std::int64_t Least = 0, std::int64_t Most = INT64_MAX>
struct Count : Plain {
  template <class V>
  static void read(const std::vector<std::string>& typed, std::string_view option, V& v) {
    v = static_cast<V>(read_count(typed.back(), option, Least, std::min<std::int64_t>(Most, most_of<V>())));
  }
  template <class V>
  static void check(V v, std::string_view option) {
    check_count(std::in_range<std::int64_t>(v) ? static_cast<std::int64_t>(v) : INT64_MAX, option, Least, Most);
  }
  template <class V>
  static void describe(V v, const std::string& key, Scalars& s) {
    s[key] = static_cast<std::int64_t>(v);
  }

 private:
  template <class V>
  static constexpr std::int64_t most_of() {
    if constexpr (sizeof(V) < sizeof(std::int64_t)) return std::numeric_limits<V>::max();
    return INT64_MAX;
  }
};

struct Number : Plain {
  static void describe(double v, const std::string& key, Scalars& s) { s[key] = v; }
};

struct Share : Number {
  static void read(const std::vector<std::string>& typed, std::string_view option, double& v);
  static void check(double v, std::string_view option);
};

struct Percentile : Number {
  static void read(const std::vector<std::string>& typed, std::string_view option, double& v);
  static void check(double v, std::string_view option);
};

struct AboveZero : Number {
  static void read(const std::vector<std::string>& typed, std::string_view option, double& v);
  static void check(double v, std::string_view option);
};

// In JSON a number of nanoseconds.
struct Time : Plain {
  static constexpr std::string_view kSuffix = "_ns";
  static void read(const std::vector<std::string>& typed, std::string_view option, nanoseconds& v);
  static void write(nanoseconds v, nlohmann::json& to) { to = v.count(); }
  static void take(const nlohmann::json& from, nanoseconds& v) { v = nanoseconds(from.get<std::int64_t>()); }
  static void describe(nanoseconds v, const std::string& key, Scalars& s) { s[key] = to_double(v); }
};

struct TimeAboveZero : Time {
  static void read(const std::vector<std::string>& typed, std::string_view option, nanoseconds& v);
  static void check(nanoseconds v, std::string_view option);
};

struct Size : Plain {
  static constexpr std::string_view kSuffix = "_bytes";
  static void read(const std::vector<std::string>& typed, std::string_view option, std::uint64_t& v);
  static void describe(std::uint64_t v, const std::string& key, Scalars& s) { s[key] = static_cast<std::int64_t>(v); }
};

// One of a few words, in JSON and among settings, too; the member is what the word means.
template <class V>
struct Word {
  V value;
  std::string_view word;
};

std::size_t index_of(std::string_view word, std::string_view option, const std::vector<std::string>& words);

template <const auto& Words>
std::vector<std::string> words_of() {
  std::vector<std::string> all;
  for (const auto& w : Words) all.emplace_back(w.word);
  return all;
}

template <const auto& Words, class V>
std::string word_of(const V& v) {
  return std::string(
      std::find_if(std::begin(Words), std::end(Words), [&](const auto& w) { return w.value == v; })->word);
}

template <const auto& Words>
struct OneOf : Plain {
  static constexpr std::vector<std::string> (*kWords)() = words_of<Words>;
  template <class V>
  static void read(const std::vector<std::string>& typed, std::string_view option, V& v) {
    v = Words[index_of(typed.back(), option, kWords())].value;
  }
  template <class V>
  static void write(const V& v, nlohmann::json& to) {
    to = word_of<Words>(v);
  }
  template <class V>
  static void take(const nlohmann::json& from, V& v) {
    v = Words[index_of(from.get<std::string>(), "option", kWords())].value;
  }
  template <class V>
  static void describe(const V& v, const std::string& key, Scalars& s) {
    s[key] = word_of<Words>(v);
  }
};

// One of a few words, which the member holds; empty where none was given.
void check_text(const std::string& v, std::string_view option, const std::vector<std::string>& words);

template <const auto& Words>
struct TextOf : Text {
  static std::vector<std::string> words() { return {std::begin(Words), std::end(Words)}; }
  static constexpr std::vector<std::string> (*kWords)() = words;
  static void check(const std::string& v, std::string_view option) { check_text(v, option, words()); }
};

// Separated by commas. Among settings one text.
template <class Kind>
struct ListOf : Plain {
  template <class V>
  static void read(const std::vector<std::string>& typed, std::string_view option, std::vector<V>& v) {
    for (const std::string_view part : split(typed.back(), ','))
      Kind::read({std::string(part)}, option, v.emplace_back());
  }
  template <class V>
  static void check(const std::vector<V>& v, std::string_view option) {
    for (const V& x : v) Kind::check(x, option);
  }
  template <class V>
  static void describe(const std::vector<V>& v, const std::string& key, Scalars& s) {
    s[key] = fmt::format("{}", fmt::join(v, ","));
  }
};

// "key=value", given several times.
struct Assignments : Plain {
  static constexpr bool kRepeatable = true;
  using Map = std::map<std::string, std::string>;
  static void read(const std::vector<std::string>& typed, std::string_view option, Map& v);
  static void describe(const Map& v, const std::string& key, Scalars& s) {
    for (const auto& [name, value] : v) s[key + "." + name] = value;
  }
};

// Texts, given several times.
struct Texts : Plain {
  static constexpr bool kRepeatable = true;
  static void read(const std::vector<std::string>& typed, std::string_view, std::vector<std::string>& v) { v = typed; }
  static void describe(const std::vector<std::string>& v, const std::string& key, Scalars& s) {
    s[key] = fmt::format("{}", fmt::join(v, ","));
  }
};

// Two values for one name would make one of them a lie.
template <class Value>
void insert_once(std::map<std::string, Value>& to, const std::string& name, Value value, std::string_view option) {
  if (!to.emplace(name, std::move(value)).second)
    refuse(fmt::format("{} is given twice for '{}'", option, name), {}, "Leave one of them out.");
}

// "batch=8,sequence=64" is what two options say. No shape and no range has a comma, and a name with one has no '=' in
// front of it.
std::vector<std::string> single_assignments(const std::vector<std::string>& typed);

}  // namespace strobe::kinds
