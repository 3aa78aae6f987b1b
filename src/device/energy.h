// SPDX-License-Identifier: Apache-2.0
// Energy that a device has taken, by a counter of its own. What a window of time took is the difference of two
// readings; when to read them is measure/energy_edges.h's affair, because such counters step, and reading one may take
// milliseconds.
#pragma once

#include <memory>
#include <string>

namespace strobe {

class EnergyCounter {
 public:
  virtual ~EnergyCounter() = default;

  virtual std::string source() const = 0;  // who counts: "NVML"
  virtual std::string scope() const = 0;   // what is in it, and what is not: "the whole board, without the host"
  // Since some moment in the past. Takes the calling thread's time: never the one that measures. Throws Error (failed)
  // where it cannot be read any more.
  virtual double joules() = 0;
};

// A counter, or why there is none.
struct EnergySource {
  std::unique_ptr<EnergyCounter> counter;
  std::string why_not = {};
};

}  // namespace strobe
