// SPDX-License-Identifier: Apache-2.0
// Fills the fields of a struct (field_lists.h) from a JSON object. A field that is absent or null keeps its default,
// one that is not in the list is ignored, one of another type is an error that names it. Only for the files of this
// folder.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <strobe/record.h>

#include "record/field_lists.h"
#include "record/names.h"

namespace strobe::record_fields {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse_type(const std::string& path);
void require_object(const Json&, const std::string& path);
void require_list(const Json&, const std::string& path);

class Reader {
 public:
  // `path` leads to the object: empty, or the names on the way.
  Reader(const Json& json, std::string path) : json_(json), path_(std::move(path)) { require_object(json_, path_); }

  template <class T>
  void operator()(const char* key, T& x) const {
    const auto it = json_.find(key);
    if (it != json_.end() && !it->is_null()) from_json(*it, path_.empty() ? key : path_ + "." + key, x);
  }
  void always(const char* key, auto& x) const { (*this)(key, x); }
  void or_null(const char* key, auto& x) const { (*this)(key, x); }
  void merged(const char* key, auto& x) const {
    if (json_.contains(key)) fields(*this, x.emplace());
  }
  static bool leaves_out(bool) { return false; }

 private:
  static void from_json(const Json& j, const std::string& path, std::string& x) {
    if (!j.is_string()) refuse_type(path);
    x = j.get<std::string>();
  }
  template <class T>
  static void from_json(const Json& j, const std::string& path, std::optional<T>& x) {
    from_json(j, path, x.emplace());
  }
  template <class T>
  static void from_json(const Json& j, const std::string& path, std::vector<T>& list) {
    require_list(j, path);
    for (const Json& item : j) from_json(item, path + "[]", list.emplace_back());
  }
  static void from_json(const Json& j, const std::string& path, Scalars&);
  static void from_json(const Json& j, const std::string& path, Metrics& metrics) {
    require_object(j, path);
    for (const auto& [key, item] : j.items()) {
      const Reader r(item, path + "." + key);
      fields(r, metrics[key], metric_kind(key));
    }
  }
  template <class T>
  static void from_json(const Json& j, const std::string& path, std::map<std::string, T, std::less<>>& map) {
    require_object(j, path);
    for (const auto& [key, item] : j.items()) from_json(item, path + "." + key, map[key]);
  }
  template <class T>
  static void from_json(const Json& j, const std::string& path, T& x) {
    if constexpr (std::is_same_v<T, bool>) {
      if (!j.is_boolean()) refuse_type(path);
      x = j.get<bool>();
    } else if constexpr (std::is_arithmetic_v<T>) {
      if (!j.is_number()) refuse_type(path);
      x = j.get<T>();
    } else if constexpr (std::is_enum_v<T>) {
      if (!j.is_string()) refuse_type(path);
      x = parse_name<T>(j.get<std::string>());
    } else {
      const Reader r(j, path);
      fields(r, x);
    }
  }

  const Json& json_;
  std::string path_;
};

}  // namespace strobe::record_fields
