// SPDX-License-Identifier: Apache-2.0
// Helpers of the acceptance tests: rates over many seeded series, with the Monte-Carlo error the bands allow for.
// Every rate is printed, so that a run of the tests is the source of the figures in docs/statistics.md.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace strobe::stats {

struct Rate {
  std::string what;
  int hits = 0;
  int trials = 0;

  void add(bool hit) {
    ++trials;
    hits += hit ? 1 : 0;
  }
  double percent() const { return trials > 0 ? 100.0 * hits / trials : 0; }
};

// Of a rate of `percent` over `trials`, in points; never 0, so that a stated 0 or 100 % has room for one surprise.
inline double standard_error(double percent, int trials) {
  const double p = std::fmin(std::fmax(percent / 100, 1.0 / trials), 1 - 1.0 / trials);
  return 100 * std::sqrt(p * (1 - p) / trials);
}

inline void print(const Rate& r) {
  std::printf("| %-60s | %6.2f %% | %5d |\n", r.what.c_str(), r.percent(), r.trials);
}

inline void print(std::string_view what, double value) {
  std::printf("| %-60s | %8.4f |\n", std::string(what).c_str(), value);
}

inline void expect_between(const Rate& r, double low, double high) {
  print(r);
  EXPECT_GE(r.percent(), low) << r.what;
  EXPECT_LE(r.percent(), high) << r.what;
}

// Coverage of a 95 % interval: 92 to 98 %, and two standard errors.
inline void expect_coverage(const Rate& r) {
  expect_between(r, 92 - 2 * standard_error(92, r.trials), 98 + 2 * standard_error(98, r.trials));
}

// False alarms: at most the stated percentage and three standard errors.
inline void expect_at_most(const Rate& r, double stated) {
  print(r);
  EXPECT_LE(r.percent(), stated + 3 * standard_error(stated, r.trials)) << r.what;
}

// Power: at least the stated percentage less three standard errors and two points.
inline void expect_power(const Rate& r, double stated) {
  print(r);
  EXPECT_GE(r.percent(), stated - 3 * standard_error(stated, r.trials) - 2) << r.what;
}

}  // namespace strobe::stats
