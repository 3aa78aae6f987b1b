// SPDX-License-Identifier: Apache-2.0
// The clock of a GPU's processors, held at one frequency while this lives. It opens the driver's library and NVML, but
// makes no context. The lock is the board's: a process that is killed leaves it behind, so only a guardian
// (study/clock_hold.h) has one of these.
#pragma once

#include <memory>
#include <string>

namespace strobe {

namespace cuda {
class Board;
}

class LockedClocks {
 public:
  // `device`: as --device names it. Throws Error where it has no such clock, or where it must not be locked.
  LockedClocks(const std::string& device, unsigned mhz);
  LockedClocks(std::shared_ptr<cuda::Board>, unsigned mhz);
  ~LockedClocks();
  LockedClocks(const LockedClocks&) = delete;
  LockedClocks& operator=(const LockedClocks&) = delete;

 private:
  std::shared_ptr<cuda::Board> board_;
};

}  // namespace strobe
