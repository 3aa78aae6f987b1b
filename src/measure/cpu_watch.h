// SPDX-License-Identifier: Apache-2.0
// On which CPUs the measuring thread was, asked at both ends of each segment: a host that is slower on one CPU than on
// another, or after a move, shows in the times of whatever waits for it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <strobe/record.h>

namespace strobe {

class CpuWatch {
 public:
  // A CPU that is not known says nothing.
  void begin(std::optional<int> cpu);
  void end(std::string_view metric, std::optional<int> cpu);  // of the segment that began last
  // The only one that the thread may run on.
  void stays_on(int cpu) { pinned_ = cpu; }

  // Nothing where no segment was seen.
  std::optional<CpuObservation> seen() const;

 private:
  void look(std::optional<int> cpu);

  std::optional<int> pinned_, last_, begun_;
  std::uint64_t moves_ = 0;
  std::map<std::string, std::set<std::int64_t>, std::less<>> passes_;
};

}  // namespace strobe
