// SPDX-License-Identifier: Apache-2.0
// What --pin says: where a model is loaded, so that threads of its runtime begin there, and where the thread that
// measures it stays meanwhile. On a GPU that is one CPU, but only once the model is warm: threads inherit the CPUs of
// the one that starts them, and those of the runtime and the driver need others. On the CPU the runtime's pool shares
// the work: a caller tied to one CPU would wait there behind a thread of that pool.
#pragma once

#include <string>
#include <vector>

#include "device/device.h"

namespace strobe {

// Where the measuring thread stays while it measures; by default anywhere.
struct PinRule {
  bool here = false;           // on the CPU that it runs on when measuring begins
  std::vector<int> cpus = {};  // on these alone
};

// Of work that is loaded already: a caller's own. Throws Error where none of the CPUs is allowed.
PinRule pin_rule(const Device&, const std::string& how);

// Before a model is loaded: this thread, and those that it starts later, go near the device, or to the CPUs that are
// named. What is left of --pin for the measurement. Throws as `pin_rule`.
PinRule place_for_loading(const Device&, const std::string& how);

}  // namespace strobe
