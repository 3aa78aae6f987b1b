// SPDX-License-Identifier: Apache-2.0
// A closed gate holds everything queued on its stream after it, so that a request can be queued whole before the device
// may start on it. Opening is guaranteed: a gate that goes out of scope opens.
#pragma once

#include <cstdint>
#include <utility>

namespace strobe {

// Implemented by devices that have gates. A ticket names one closed gate.
class GateKeeper {
 public:
  virtual ~GateKeeper() = default;
  virtual void open(std::uint32_t ticket) noexcept = 0;           // opening twice is harmless
  virtual bool tripped(std::uint32_t ticket) const noexcept = 0;  // the watchdog had to open it
};

class Gate {
 public:
  Gate(GateKeeper& keeper, std::uint32_t ticket) : keeper_(&keeper), ticket_(ticket) {}
  Gate(Gate&& other) noexcept : keeper_(std::exchange(other.keeper_, nullptr)), ticket_(other.ticket_) {}
  Gate& operator=(Gate&&) = delete;
  ~Gate() { open(); }

  void open() noexcept {
    if (keeper_) keeper_->open(ticket_);
  }
  // Something inside waited for work behind the gate: the sample is void.
  bool tripped() const noexcept { return keeper_ && keeper_->tripped(ticket_); }

 private:
  GateKeeper* keeper_;
  std::uint32_t ticket_;
};

}  // namespace strobe
