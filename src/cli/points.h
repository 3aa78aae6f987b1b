// SPDX-License-Identifier: Apache-2.0
// Values of options to go through: "batch=1,8" of --sweep and --vary, and all combinations of several.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>

namespace strobe::cli {

struct Point {
  std::string name;                // "batch=1 threads=2"
  std::vector<std::string> words;  // "--batch=1", "--threads=2"
  Scalars settings;
};

// Without any list one point that sets nothing. `option` is named in errors.
std::vector<Point> points(const std::vector<std::string>& lists, const char* option);

}  // namespace strobe::cli
