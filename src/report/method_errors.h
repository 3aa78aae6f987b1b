// How wrong the ways to time a model are: what `strobe methods` was asked for.
#pragma once

#include <cstddef>
#include <string>

#include <strobe/record.h>

namespace strobe {

constexpr double kMethodTolerance = 0.05;  // a reading further from its reference is off

// What a method reports: the median, or the mean where it counts the first requests too.
struct MethodReading {
  Estimate estimate;
  std::string text, interval;  // "10.1 ms (mean)"; of a mean the interval is left out
};
MethodReading method_reading(const Case&);

bool is_off(const Case&);

struct MethodErrors {
  std::size_t usable = 0, off = 0, unusable = 0;
  const Case* worst = nullptr;  // of those that are off
};
MethodErrors method_errors(const Record&);

}  // namespace strobe
