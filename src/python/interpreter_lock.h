// SPDX-License-Identifier: Apache-2.0
// The GIL as a lock that the host's part of a request needs: held while a callable runs, given away in every wait for
// the device, so that other Python threads go on meanwhile.
#pragma once

#include <chrono>
#include <cstdint>

#include <nanobind/nanobind.h>

#include <strobe/workload.h>

namespace strobe::python {

class InterpreterLock final : public HostLock {
 public:
  // The calling thread must hold the GIL.
  InterpreterLock() = default;
  ~InterpreterLock() override { take(); }
  InterpreterLock(const InterpreterLock&) = delete;
  InterpreterLock& operator=(const InterpreterLock&) = delete;

  void give() override;
  void take() override;

  // How often another thread had it when it was to be taken, and how long that took.
  std::uint64_t contended() const { return contended_; }
  std::chrono::nanoseconds waited() const { return waited_; }

 private:
  PyThreadState* away_ = nullptr;
  std::uint64_t contended_ = 0;
  std::chrono::nanoseconds waited_{};
};

}  // namespace strobe::python
