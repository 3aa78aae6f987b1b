// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/setting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/parse.h"

namespace strobe {

bool parse_switch(const std::string& key, const std::string& value) {
  if (value == "1" || value == "on" || value == "true") return true;
  if (value == "0" || value == "off" || value == "false") return false;
  throw Error(ErrorCode::usage, fmt::format("cannot read the setting {}={}", key, value), "it is neither on nor off");
}

Error unknown_setting(const std::string& key, std::string_view whose, const std::vector<std::string>& known) {
  return Error(
      ErrorCode::usage, fmt::format("unknown setting '{}' for {}", key, whose), {},
      known.empty() ? "It has none." : fmt::format("It knows {}.{}", fmt::join(known, ", "), did_you_mean(key, known)));
}

}  // namespace strobe
