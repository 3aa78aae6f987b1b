// SPDX-License-Identifier: Apache-2.0
#include "cli/points.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"

namespace strobe::cli {
namespace {

constexpr std::size_t kMostCases = 256;
constexpr std::array<std::string_view, 12> kNotSwept{"sweep",   "json",    "export", "format",
                                                     "samples", "color",   "quiet",  "no-progress",
                                                     "explain", "verbose", "help",   "version"};

}  // namespace

std::vector<Point> points(const std::vector<std::string>& lists, const char* option) {
  std::vector<Point> all{{}};
  for (const std::string& s : lists) {
    const auto [key, values] = parse_assignment(s, option);
    if (std::find(kNotSwept.begin(), kNotSwept.end(), key) != kNotSwept.end()) {
      throw Error(ErrorCode::usage, fmt::format("cannot use {} with --{}", option, key), "it changes no measurement");
    }
    std::vector<Point> next;
    for (const Point& p : all) {
      for (const std::string_view v : split(values, ',')) {
        Point q = p;
        q.name += fmt::format("{}{}={}", q.name.empty() ? "" : " ", key, v);
        q.words.push_back(fmt::format("--{}={}", key, v));
        q.settings[key] = std::string(v);
        next.push_back(std::move(q));
      }
    }
    all = std::move(next);
    if (all.size() > kMostCases)
      throw Error(ErrorCode::usage, fmt::format("{} asks for too much", option),
                  fmt::format("it would be more than {} cases", kMostCases));
  }
  return all;
}

}  // namespace strobe::cli
