// SPDX-License-Identifier: Apache-2.0
// Where the threads of a measurement run: the measuring one where --pin says, and those that watch it (telemetry, the
// gate's watchdog) elsewhere, because each would take its time there. Other processes it cannot keep off.
#pragma once

#include <optional>
#include <vector>

#include "device/device.h"
#include "host/affinity.h"
#include "measure/surroundings.h"
#include "workload/pin.h"

namespace strobe {

// While it lives, on the thread that made it.
class Placement {
 public:
  // Throws Error where the rule names CPUs and the thread cannot go there. Where the thread may use no other CPU, those
  // that watch it stay where they are.
  Placement(const PinRule&, Device&, Surroundings&);
  ~Placement();
  Placement(const Placement&) = delete;
  Placement& operator=(const Placement&) = delete;

 private:
  void keep_watchers_on(const std::vector<int>& cpus);

  Device& device_;
  Surroundings& around_;
  const std::vector<int> before_;
  std::optional<Pin> pin_;
  bool moved_ = false;
};

}  // namespace strobe
