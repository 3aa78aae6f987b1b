// SPDX-License-Identifier: Apache-2.0
// Ctrl-C as a question that can be asked: the first signal only sets a flag, so that a run can end with a whole record.
// A request that does not end never asks; so the second signal, or ten seconds after the first, call in `give_up`.
#pragma once

#include <functional>
#include <thread>

#include "base/units.h"

namespace strobe {

class Interrupt {
 public:
  // Catches SIGINT and SIGTERM. `give_up` runs on a thread of its own, which sleeps until a signal comes: at the second
  // one, or `patience` after the first, and a moment later still, because whoever only waits for a child can then end
  // by itself. It should end the process; a third signal does. Without it the second signal does.
  explicit Interrupt(std::function<void()> give_up = {}, nanoseconds patience = 10s);
  ~Interrupt();  // restores what was there
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool requested();
  static bool urgent();  // the second signal has come, or the patience is over

 private:
  void watch();

  std::function<void()> give_up_;
  nanoseconds patience_;
  std::thread watcher_;
};

}  // namespace strobe
