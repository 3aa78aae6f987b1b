// SPDX-License-Identifier: Apache-2.0
// Named stretches of time for a tool that watches from outside (Nsight): NVTX ranges in the domain `strobe`. Nothing is
// recorded here. Whether a tool watches is found out once, at the first range; without one a range tests a flag.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace strobe::nvtx {

inline constexpr const char* kDomain = "strobe";

// What ranges are called; those of passes and layers have the names of metrics and layers.
namespace name {
inline constexpr std::string_view kLoad = "load", kWarmUp = "warm-up", kSoak = "soak", kRequest = "request",
                                  kSubmit = "submit";
}

bool watched();

// Only where a tool watches, on one thread and in pairs: ranges of a thread nest. The tool is told of each name once,
// so names must be few; what differs from one range to the next is its number.
void push(std::string_view name, std::optional<std::uint64_t> number = {});
void pop();

// The pair, from here to its end.
class Range {
 public:
  explicit Range(std::string_view name) : Range(watched(), name) {}
  // For loops, which find out beforehand whether a tool watches.
  Range(bool watched, std::string_view name, std::optional<std::uint64_t> number = {}) : open_(watched) {
    if (open_) push(name, number);
  }
  ~Range() {
    if (open_) pop();
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

 private:
  const bool open_;
};

}  // namespace strobe::nvtx
