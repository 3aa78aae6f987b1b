// SPDX-License-Identifier: Apache-2.0
// The lists of fields against docs/record.schema.json: a field that one of them does not know is a promise or a secret.
#include "record/field_lists.h"

#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace strobe::record_fields {
namespace {

using Json = nlohmann::json;

const Json& schema_document() {
  static const Json document = Json::parse(std::ifstream(STROBE_SOURCE "/docs/record.schema.json"));
  return document;
}

const Json& resolved(const Json& schema) {
  if (!schema.contains("$ref")) return schema;
  const auto name = schema.at("$ref").get<std::string>();  // #/$defs/NAME
  return schema_document().at(Json::json_pointer(name.substr(1)));
}

// The properties of a schema and of the branches that it may take.
std::map<std::string, Json> properties(const Json& schema) {
  const Json& s = resolved(schema);
  std::map<std::string, Json> all;
  if (s.contains("properties")) {
    for (const auto& [key, value] : s.at("properties").items()) {
      if (value.is_object()) all.emplace(key, value);
    }
  }
  for (const char* branch : {"then", "else"}) {
    if (s.contains(branch)) all.merge(properties(s.at(branch)));
  }
  return all;
}

// Visits a struct that stands for the objects of a schema, and notes what only one of the two has.
class SchemaCheck {
 public:
  SchemaCheck(const Json& schema, std::string path, std::vector<std::string>& differences)
      : properties_(properties(schema)), path_(std::move(path)), differences_(differences) {}

  void operator()(const char* key, auto& x) {
    seen_.insert(key);
    if (const auto it = properties_.find(key); it != properties_.end())
      descend(it->second, path_ + "." + key, x);
    else
      differences_.push_back(path_ + "." + key + " is not in the schema");
  }
  void always(const char* key, auto& x) { (*this)(key, x); }
  void or_null(const char* key, auto& x) { (*this)(key, x); }
  void merged(const char*, auto& x) { fields(*this, x.emplace()); }
  static bool leaves_out(bool) { return false; }

  void finish() {
    for (const auto& [key, schema] : properties_) {
      if (!seen_.contains(key)) differences_.push_back(path_ + "." + key + " is only in the schema");
    }
  }

 private:
  template <class T>
  void descend(const Json& schema, const std::string& path, std::optional<T>& x) {
    descend(schema, path, x.emplace());
  }
  template <class T>
  void descend(const Json& schema, const std::string& path, std::vector<T>& x) {
    if constexpr (!std::is_same_v<T, bool>) descend(resolved(schema).at("items"), path + "[]", x.emplace_back());
  }
  template <class T>
  void descend(const Json& schema, const std::string& path, std::map<std::string, T, std::less<>>& x) {
    if constexpr (!std::is_same_v<T, Scalar>) descend(resolved(schema).at("additionalProperties"), path + ".*", x["*"]);
  }
  void descend(const Json& schema, const std::string& path, std::string&) {
    const Json& s = resolved(schema);
    if (!s.contains("enum") && !s.contains("const") && s.value("type", "") != "string")
      differences_.push_back(path + " is a text");
  }
  void descend(const Json& schema, const std::string& path, Metric& m) {
    SchemaCheck inside(schema, path, differences_);
    for (const MetricKind kind : {MetricKind::sample, MetricKind::rate}) fields(inside, m, kind);
    inside.finish();
  }
  template <class T>
  void descend(const Json& schema, const std::string& path, T& x) {
    if constexpr (std::is_class_v<T>) {
      SchemaCheck inside(schema, path, differences_);
      fields(inside, x);
      inside.finish();
    }
  }

  std::map<std::string, Json> properties_;
  std::string path_;
  std::vector<std::string>& differences_;
  std::set<std::string> seen_;
};

TEST(FieldLists, HaveTheFieldsOfTheSchemaAndNoOthers) {
  std::vector<std::string> differences;
  SchemaCheck check(schema_document(), "$", differences);
  std::string schema;
  check("schema", schema);  // the only field that says nothing about the measurement
  Record record;
  fields(check, record);
  check.finish();
  EXPECT_EQ(differences, std::vector<std::string>{});
}

}  // namespace
}  // namespace strobe::record_fields
