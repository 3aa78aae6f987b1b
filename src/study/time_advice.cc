// SPDX-License-Identifier: Apache-2.0
#include "study/time_advice.h"

#include <fmt/format.h>

namespace strobe {

std::string give_at_least(nanoseconds needed) {
  const nanoseconds ample = needed + needed / 2;
  nanoseconds unit = 100ms;
  while (10 * unit < ample) unit *= 10;
  const nanoseconds advised = unit * (ample <= unit ? 1 : ample <= 2 * unit ? 2 : ample <= 5 * unit ? 5 : 10);
  return advised < 1s ? fmt::format("Give it at least {} ms.", advised / 1ms)
                      : fmt::format("Give it at least {} s.", advised / 1s);
}

}  // namespace strobe
