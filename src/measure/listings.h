// SPDX-License-Identifier: Apache-2.0
// The listings by which people usually time a network: a row each, of what the lines do, how often, and what they
// print. `strobe methods --like NAME` runs one of them as it stands, before anything else.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>

#include "measure/method.h"
#include "measure/method_rows.h"

namespace strobe {

struct Listing {
  std::string_view name;
  std::string_view what;  // whose lines these are, or what they look like
  Method method;
  Script script;
  std::string_view statistic;  // that it prints; the first, where it prints several
  // The line that it prints, with its units; `items` are in one request.
  std::string (*line)(const Metric&, std::size_t items);
  std::string_view claims;  // the metric that people take it for
  std::string_view about;   // what it counts or misses
};

std::span<const Listing> listings();
std::vector<std::string> listing_names();

// Throws Error (usage) for a name that there is not, with those that there are.
const Listing& find_listing(std::string_view name);

}  // namespace strobe
