// SPDX-License-Identifier: Apache-2.0
// Fields of the JSON form of a record: writing leaves out what says nothing, reading names the field that is wrong.
// Only for the files of this folder.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>
#include <strobe/record.h>

namespace strobe::record_json {

using Json = nlohmann::ordered_json;
using Numbers = std::map<std::string, double, std::less<>>;

// Throws Error for NaN and infinity: they never get in.
Json number(double x);

// Fields are left out when they say nothing: absent optional, empty text, empty list.
class Writer {
 public:
  Json json = Json::object();

  void put(const char* key, double x) { json[key] = number(x); }
  void put(const char* key, bool x) { json[key] = x; }
  void put(const char* key, std::uint64_t x) { json[key] = x; }
  void put(const char* key, std::string_view x) {
    if (!x.empty()) json[key] = std::string(x);
  }
  void put(const char* key, const char* x) { put(key, std::string_view(x)); }
  void put(const char* key, const std::string& x) { put(key, std::string_view(x)); }
  void put(const char* key, Json x) {
    if (!x.empty()) json[key] = std::move(x);
  }
  template <class T>
  void put(const char* key, const std::optional<T>& x) {
    if (x) put(key, *x);
  }
};

// Reads a field if it is there; a field of another type is an error that names it.
class Reader {
 public:
  explicit Reader(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
    if (!json_.is_object()) fail("an object");
  }

  template <class T>
  void get(const char* key, T& value) const {
    const auto it = json_.find(key);
    if (it == json_.end() || it->is_null()) return;
    try {
      if constexpr (std::is_same_v<T, double>) {
        if (!it->is_number()) throw std::invalid_argument("number");
      }
      value = it->template get<T>();
    } catch (const std::exception&) {
      throw Error(ErrorCode::bad_input, "cannot read the record",
                  fmt::format("the field '{}{}' has the wrong type", path_, key));
    }
  }
  template <class T>
  void get(const char* key, std::optional<T>& value) const {
    T x{};
    if (!json_.contains(key) || json_.at(key).is_null()) return;
    get(key, x);
    value = std::move(x);
  }
  // Calls f with the value when it is there.
  template <class F>
  void with(const char* key, F&& f) const {
    if (const auto it = json_.find(key); it != json_.end() && !it->is_null()) f(*it, path_ + key + ".");
  }
  template <class F>
  void each(const char* key, F&& f) const {
    const auto it = json_.find(key);
    if (it == json_.end() || it->is_null()) return;
    if (!it->is_array())
      throw Error(ErrorCode::bad_input, "cannot read the record",
                  fmt::format("the field '{}{}' is not a list", path_, key));
    for (const Json& x : *it) f(x, path_ + key + "[].");
  }
  const Json& json() const { return json_; }
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw Error(ErrorCode::bad_input, "cannot read the record",
                fmt::format("'{}' is not {}", path_.empty() ? "the document" : path_, what));
  }
  const Json& json_;
  std::string path_;
};

Json write(const Scalars&);
void read(const Json&, const std::string& path, Scalars&);
Json write(const Numbers&);
void read(const Json&, const std::string& path, Numbers&);
Json write(const Estimate&);
void read(const Json&, const std::string& path, Estimate&);
Json write(const ModelInfo&);
void read(const Json&, const std::string& path, ModelInfo&);
Json write(const DeviceInfo&);
void read(const Json&, const std::string& path, DeviceInfo&);
Json write(const Metrics&);
void read(const Json&, const std::string& path, Metrics&);
Json write(const std::vector<Finding>&);
void read(const Reader&, std::vector<Finding>&);

// Cases, comparisons, launches, time line and answer: what a study with several results adds.
void write_study(const Record&, Writer&);
void read_study(const Reader&, Record&);

}  // namespace strobe::record_json
