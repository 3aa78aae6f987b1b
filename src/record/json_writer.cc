// SPDX-License-Identifier: Apache-2.0
#include "record/json_writer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <strobe/error.h>

#include "record/metric_info.h"

namespace strobe::record_fields {

Json number(double x) {
  if (!std::isfinite(x)) throw Error(ErrorCode::failed, "cannot write the record", "a value is not finite");
  // Whole numbers stay whole: times are mostly integers, and 1000000.0 only makes files longer.
  if (x == std::floor(x) && std::fabs(x) < 9e15) return static_cast<std::int64_t>(x);
  return x;
}

std::vector<std::string> shown_order(const Metrics& metrics) {
  std::vector<std::string> order;
  for (const auto& [name, metric] : metrics) order.push_back(name);
  std::stable_sort(order.begin(), order.end(),
                   [](const std::string& a, const std::string& b) { return metric_order(a) < metric_order(b); });
  return order;
}

bool says_nothing(const Json& j) {
  return j.empty() || (j.is_string() && j.get_ref<const std::string&>().empty());
}

}  // namespace strobe::record_fields
