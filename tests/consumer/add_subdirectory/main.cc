// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <strobe/strobe.h>

int main() {
  const strobe::Record r = strobe::measure([] {}, {.effort = strobe::quick, .warmup = 0, .requests = 10});
  std::cout << strobe::text(r);
  return r.find("latency") ? 0 : 1;
}
