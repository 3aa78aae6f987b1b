// SPDX-License-Identifier: Apache-2.0
// Memory over a launch, phase by phase: read at the ends of each, after each request of the steady one, and beside the
// load, which is one long call. What the process itself has is no part of a simulated device.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "base/units.h"
#include "measure/memory_meter.h"

namespace strobe {

namespace memory_phase {
inline constexpr char load[] = "load", first[] = "first request", warm_up[] = "warm-up", steady[] = "steady",
                      graph[] = "graph capture";
}

// Of levels that were read before the first request and after each.
MemoryGrowth memory_growth(const std::vector<double>& levels);

// A value of this launch: no interval.
Estimate read_once(double value);

class MemoryLog {
 public:
  MemoryLog();  // of the process, from now on
  ~MemoryLog();
  MemoryLog(const MemoryLog&) = delete;
  MemoryLog& operator=(const MemoryLog&) = delete;

  // Somewhere within the first phase: from now on of the device, too, where it has memory of its own.
  void opened(Device&);
  // `beside`: also while it lasts, on a thread of its own.
  void begin(std::string phase, bool beside = false);
  void request_done();
  void end(std::size_t requests);

  // A device's first, else the process.
  std::vector<MemoryPlace> take();

 private:
  class Sampler;
  struct Place {
    std::unique_ptr<MemoryMeter> meter;
    MemoryPlace told;
    double most = 0;             // in this phase
    std::vector<double> levels;  // of the steady one
  };
  void add(std::unique_ptr<MemoryMeter>);
  double read(Place&);
  double since_begin() const;

  SteadyClock machine_;
  Clock* clock_ = &machine_;
  nanoseconds zero_;
  std::string phase_;
  double phase_begin_ = 0;
  std::vector<Place> places_;
  std::unique_ptr<Sampler> sampler_;
};

}  // namespace strobe
