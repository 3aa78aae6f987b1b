// SPDX-License-Identifier: Apache-2.0
// Keys of open maps (host, calibration, facts) end in the unit of their value where it has one (docs/records.md).
#pragma once

#include <string_view>

namespace strobe {

struct KeyUnit {
  std::string_view name, unit;  // "clock_read" and "ns"; no unit: the whole key and nothing
};

constexpr KeyUnit key_unit(std::string_view key) {
  for (const std::string_view unit : {"ns", "bytes"}) {
    const std::size_t name = key.size() - unit.size() - 1;
    if (key.size() > unit.size() + 1 && key[name] == '_' && key.ends_with(unit)) return {key.substr(0, name), unit};
  }
  return {key, {}};
}

}  // namespace strobe
