// SPDX-License-Identifier: Apache-2.0
// How wrong the ways to time a model are: what `strobe methods` was asked for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <strobe/record.h>

namespace strobe {

constexpr double kMethodTolerance = 0.05;  // a reading further from its reference is off

// What a method reports: the median, or the mean where it counts the first requests too.
struct MethodReading {
  Estimate estimate;
  std::string number, text, interval;  // "10.1 ms", "10.1 ms (mean)"; of a mean the interval is left out
  bool mean = false;
};
MethodReading method_reading(const Case&);

// How far the reading is from the metric that it is taken for; nothing for cases of other verbs.
struct MethodError {
  double off = 0;       // relative: 0.1 reads 10 % too much
  std::string_view of;  // "median" or "mean", whichever the method reports
  std::string from;     // "latency"
};
std::optional<MethodError> method_error(const Case&);

bool is_off(const Case&);

struct MethodErrors {
  std::size_t usable = 0, off = 0, unusable = 0;
  const Case* worst = nullptr;  // of those that are off
};
MethodErrors method_errors(const Record&);

// "12 of 26 timing methods for this model are off by more than 5 %"; nothing where none can be judged.
std::string methods_sentence(const Record&);

}  // namespace strobe
