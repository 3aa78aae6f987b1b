// SPDX-License-Identifier: Apache-2.0
// Looks at the operating system's counters between rounds, and tells afterwards what it did to the process in the
// measured window: where that begins is known only at the end. Nothing of it runs while a request is timed.
#pragma once

#include <utility>
#include <vector>

#include <strobe/record.h>

#include "host/counters.h"

namespace strobe {

class HostWatch {
 public:
  // A look, at this time of the run.
  void look(nanoseconds at);

  // From the first look in the window to the last; nothing with fewer than two looks.
  std::optional<Disturbances> since(nanoseconds cut) const;

  // Times between two looks, in the window, in which libraries were loaded.
  std::vector<std::pair<nanoseconds, nanoseconds>> loading(nanoseconds cut) const;

 private:
  struct Look {
    nanoseconds at{};
    HostCounters counters;
    std::vector<std::string> loaded = {};  // since the look before; all of them in the first
  };
  std::size_t first_of(nanoseconds cut) const;

  std::vector<Look> looks_;
  std::vector<std::string> known_;  // libraries, in order
};

}  // namespace strobe
