// SPDX-License-Identifier: Apache-2.0
#include "record/json_reader.h"

#include <cstdint>

#include <fmt/format.h>

#include <strobe/error.h>

namespace strobe::record_fields {
namespace {

[[noreturn]] void refuse_record(std::string why) {
  throw Error(ErrorCode::bad_input, "cannot read the record", std::move(why));
}

}  // namespace

void refuse_type(const std::string& path) {
  refuse_record(fmt::format("the field '{}' has the wrong type", path));
}

void require_object(const Json& j, const std::string& path) {
  if (!j.is_object()) refuse_record(fmt::format("'{}' is not an object", path.empty() ? "the document" : path));
}

void require_list(const Json& j, const std::string& path) {
  if (!j.is_array()) refuse_record(fmt::format("the field '{}' is not a list", path));
}

// A key of a later version may hold a list or an object: it is ignored like an unknown field.
void Reader::from_json(const Json& j, const std::string& path, Scalars& values) {
  require_object(j, path);
  for (const auto& [key, x] : j.items()) {
    if (x.is_boolean()) values[key] = x.get<bool>();
    if (x.is_number_integer()) values[key] = x.get<std::int64_t>();
    if (x.is_number_float()) values[key] = x.get<double>();
    if (x.is_string()) values[key] = x.get<std::string>();
  }
}

}  // namespace strobe::record_fields
