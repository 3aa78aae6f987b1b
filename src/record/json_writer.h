// SPDX-License-Identifier: Apache-2.0
// Writes the fields of a struct (field_lists.h) as a JSON object. What says nothing is left out: an absent optional, an
// empty text, an empty list. Only for the files of this folder.
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

// Throws Error for NaN and infinity: they never get in.
Json number(double);
// The metrics' names in the order in which reports show them.
std::vector<std::string> shown_order(const Metrics&);
bool says_nothing(const Json&);

class Writer {
 public:
  Json json = Json::object();

  void operator()(const char* key, const auto& x) {
    Json written = to_json(x);
    if (!says_nothing(written)) json[key] = std::move(written);
  }
  void always(const char* key, const auto& x) { json[key] = to_json(x); }
  void or_null(const char* key, const auto& x) { json[key] = to_json(x); }
  void merged(const char*, const auto& x) {
    if (x) fields(*this, *x);
  }
  static bool leaves_out(bool nothing_to_say) { return nothing_to_say; }

 private:
  static Json to_json(double x) { return number(x); }
  static Json to_json(const std::string& x) { return x; }
  static Json to_json(const Scalar& x) {
    return std::visit([](const auto& value) { return to_json(value); }, x);
  }
  template <class T>
  static Json to_json(const std::optional<T>& x) {
    return x ? to_json(*x) : Json();
  }
  template <class T>
  static Json to_json(const std::vector<T>& list) {
    Json out = Json::array();
    for (const T& x : list) out.push_back(to_json(x));
    return out;
  }
  template <class T>
  static Json to_json(const std::map<std::string, T, std::less<>>& map) {
    Json out = Json::object();
    for (const auto& [key, x] : map) out[key] = to_json(x);
    return out;
  }
  static Json to_json(const Metrics& metrics) {
    Json out = Json::object();
    for (const std::string& name : shown_order(metrics)) {
      Writer w;
      fields(w, metrics.at(name), metric_kind(name));
      out[name] = std::move(w.json);
    }
    return out;
  }
  template <class T>
  static Json to_json(const T& x) {
    if constexpr (std::is_arithmetic_v<T>) {
      return x;
    } else if constexpr (std::is_enum_v<T>) {
      return std::string(name(x));
    } else {
      Writer w;
      fields(w, x);
      return std::move(w.json);
    }
  }
};

}  // namespace strobe::record_fields
