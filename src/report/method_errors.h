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

// What a method reports (record/reported.h).
struct MethodReading {
  Estimate estimate;
  std::string number, text, interval;  // "10.1 ms", "10.1 ms (mean)"; only a median has an interval
  std::string_view statistic = {};
};
MethodReading method_reading(const Case&);

// Of the same readings, whatever is reported; empty where there is one only.
std::string method_mean(const Case&);

// How far the reading is from the metric that it is taken for; nothing for cases of other verbs.
struct MethodError {
  double off = 0;       // relative: 0.1 reads 10 % too much
  std::string_view of;  // the statistic that the method reports: "median", "mean"
  std::string from;     // "latency"
};
std::optional<MethodError> method_error(const Case&);

// What the reading is held against: "8.18 ms".
std::string method_truth(const Case&, const Record&);

bool is_off(const Case&);

struct MethodErrors {
  std::size_t usable = 0, off = 0, unusable = 0;
  const Case* worst = nullptr;  // of those that are off
};
MethodErrors method_errors(const Record&);

// "12 of 26 timing methods for this model are off by more than 5 %", "do_bench is off by +127 % from the device time";
// nothing where none can be judged.
std::string methods_sentence(const Record&);

}  // namespace strobe
