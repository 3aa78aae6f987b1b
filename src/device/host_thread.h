// SPDX-License-Identifier: Apache-2.0
// A further thread that uses a device. Whoever starts the thread makes this before: a simulated device has to know of
// all its hosts before any of them begins, or the order in which the machine starts threads would decide.
#pragma once

namespace strobe {

class HostThread {
 public:
  virtual ~HostThread() = default;  // on that thread when it is done; or, if it never began, by whoever made it
  virtual void begin() {}           // on that thread, before it uses the device
};

}  // namespace strobe
