// SPDX-License-Identifier: Apache-2.0
#include "record/json_fields.h"

#include <cmath>

namespace strobe::record_json {

Json number(double x) {
  if (!std::isfinite(x)) throw Error(ErrorCode::failed, "cannot write the record", "a value is not finite");
  // Whole numbers stay whole: times are mostly integers, and 1000000.0 only makes files longer.
  if (x == std::floor(x) && std::fabs(x) < 9e15) return static_cast<std::int64_t>(x);
  return x;
}

Json write(const Scalars& values) {
  Json j = Json::object();
  for (const auto& [key, value] : values) {
    std::visit(
        [&, k = key](const auto& x) {
          if constexpr (std::is_same_v<std::decay_t<decltype(x)>, double>) {
            j[k] = number(x);
          } else {
            j[k] = x;
          }
        },
        value);
  }
  return j;
}

void read(const Json& j, const std::string& path, Scalars& values) {
  Reader check(j, path);
  for (const auto& [key, x] : j.items()) {
    if (x.is_boolean())
      values[key] = x.get<bool>();
    else if (x.is_number_integer())
      values[key] = x.get<std::int64_t>();
    else if (x.is_number())
      values[key] = x.get<double>();
    else if (x.is_string())
      values[key] = x.get<std::string>();
  }
}

Json write(const Numbers& values) {
  Json j = Json::object();
  for (const auto& [key, value] : values) j[key] = number(value);
  return j;
}

void read(const Json& j, const std::string& path, Numbers& values) {
  const Reader r(j, path);
  for (const auto& [key, x] : j.items()) {
    if (x.is_number()) values[key] = x.get<double>();
  }
}

}  // namespace strobe::record_json
