// SPDX-License-Identifier: Apache-2.0
// What a simulated device takes: so many watts always, and so many more for each kernel that runs. Its counter shows
// the sum at its last step, as a GPU's does; where between two steps of the clock a process begins is drawn once a
// launch.
#pragma once

#include <deque>

#include "base/units.h"
#include "device/simulated/parameters.h"

namespace strobe {

class EnergyModel {
 public:
  explicit EnergyModel(const SimParameters&);

  bool counts() const { return idle_ > 0 || active_ > 0; }
  // A kernel runs; nobody will ask for a moment before `now`.
  void add_work(nanoseconds begin, nanoseconds end, nanoseconds now);
  // What the counter shows then.
  double joules(nanoseconds now);

 private:
  struct Work {
    nanoseconds begin{}, end{};
  };
  nanoseconds last_step(nanoseconds now) const;
  void forget_before(nanoseconds step);

  double idle_, active_;  // watts
  nanoseconds step_, phase_{};
  nanoseconds worked_{};   // of kernels that are over
  std::deque<Work> work_;  // of the others, those that run and those to come
};

}  // namespace strobe
