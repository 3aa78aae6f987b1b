// SPDX-License-Identifier: Apache-2.0
// The JSON form of a record: its fields are those of field_lists.h. A newer major version is refused, the one before is
// converted (old_records.h).
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>
#include <strobe/record.h>

#include "record/json_of.h"
#include "record/json_reader.h"
#include "record/json_writer.h"
#include "record/old_records.h"

namespace strobe {
namespace {

using record_fields::Json;
using record_fields::Reader;
using record_fields::Writer;

constexpr int kMajor = 2;

bool is_flat(const Json& j) {
  return std::none_of(j.begin(), j.end(), [](const Json& x) { return x.is_structured() && !x.empty(); });
}

// One field a line for people, but a row of numbers, an interval or a point of a curve in one line.
// Text from outside (file names, library messages) may not be UTF-8; it is replaced, never refused.
void lay_out(const Json& j, std::size_t depth, std::string& out) {
  constexpr std::size_t kShort = 4;
  const bool one_line = !j.is_structured() || (is_flat(j) && (j.is_array() || j.size() <= kShort || depth > 3));
  if (one_line) {
    out += j.dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  const std::string indent(depth + 1, ' ');
  out += j.is_array() ? "[" : "{";
  bool first = true;
  for (const auto& [key, value] : j.items()) {
    out += (first ? "\n" : ",\n") + indent;
    if (j.is_object()) out += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace) + ": ";
    lay_out(value, depth + 1, out);
    first = false;
  }
  out += "\n" + std::string(depth, ' ') + (j.is_array() ? "]" : "}");
}

// The major version of the document.
int check_schema(const Json& document) {
  const auto schema = document.find("schema");
  int major = 0;
  if (schema == document.end() || !schema->is_string() ||
      std::sscanf(schema->get<std::string>().c_str(), "strobe/%d", &major) != 1) {
    throw Error(ErrorCode::bad_input, "cannot read the record", "it has no field \"schema\": \"strobe/…\"",
                "Is it a record of strobe?");
  }
  if (major > kMajor) {
    throw Error(ErrorCode::unsupported, "cannot read the record",
                fmt::format("its schema is strobe/{}, this program knows strobe/{}", major, kMajor),
                "Use a newer strobe.");
  }
  if (major < record_fields::kOldestMajor) {
    throw Error(ErrorCode::unsupported, "cannot read the record",
                fmt::format("its schema is strobe/{}, the oldest that this program reads is strobe/{}", major,
                            record_fields::kOldestMajor),
                "Measure again, or use the strobe that wrote it.");
  }
  return major;
}

}  // namespace

Json json_of(const Record& record) {
  Writer w;
  w.json["schema"] = fmt::format("strobe/{}", kMajor);
  fields(w, record);
  return w.json;
}

std::string json(const Record& record) {
  std::string out;
  lay_out(json_of(record), 0, out);
  return out + "\n";
}

Record parse_record(std::string_view text) {
  const Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) throw Error(ErrorCode::bad_input, "cannot read the record", "it is not JSON");
  return record_of(document);
}

Record record_of(const Json& document) {
  record_fields::require_object(document, "");
  const bool old = check_schema(document) < kMajor;
  Json current = old ? record_fields::converted_from_1(document) : document;
  record_fields::move_results(current);
  const Reader r(current, "");
  Record record;
  fields(r, record);
  return record;
}

}  // namespace strobe
