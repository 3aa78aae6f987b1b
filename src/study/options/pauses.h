// SPDX-License-Identifier: Apache-2.0
// The kind of value that --idle has: pauses, separated by commas, each a time or the mean of random ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <strobe/measure.h>

#include "option/kinds.h"

namespace strobe::kinds {

struct Pauses : Plain {
  // "10ms,poisson:1s"
  static void read(const std::vector<std::string>& typed, std::string_view option, std::vector<IdlePause>& v);
  static void check(const std::vector<IdlePause>& v, std::string_view option);
  static void write(const std::vector<IdlePause>& v, nlohmann::json& to);
  static void take(const nlohmann::json& from, std::vector<IdlePause>& v);
  static void describe(const std::vector<IdlePause>& v, const std::string& key, Scalars& s);
};

}  // namespace strobe::kinds
