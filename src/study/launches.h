// `strobe run --launches 5`: the same measurement in fresh processes, and figures that speak of other launches. Where a
// library, a page or a thread comes to lie is luck that a single process does not see.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <strobe/record.h>
#include <strobe/strobe.h>

namespace strobe {

struct LaunchOptions {
  std::vector<std::string> words;  // a command line of strobe that makes one record
  std::size_t launches = 5;
  std::chrono::nanoseconds longest{};  // that one may measure, where that was asked for
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
};

Record run_launches(const LaunchOptions&);

// One record of several. Figures are geometric means over launches, with Student's t interval of their logarithms.
Record merge_launches(std::vector<Record> launches);

}  // namespace strobe
