// SPDX-License-Identifier: Apache-2.0
// Time that passes only when a host pays for something. Every host thread has its own; at any moment one of them runs,
// the one that is furthest behind (of equals the one that was made first), and whoever pays gives way to those that
// are now behind it. So whatever hosts do to a device happens in the order of time, however the machine schedules their
// threads: a simulation with several hosts is as reproducible as one with a single host.
#pragma once

#include <memory>
#include <semaphore>
#include <vector>

#include "device/clock.h"
#include "device/host_thread.h"

namespace strobe {

class VirtualClock final : public Clock {
 public:
  nanoseconds now() const override { return now_; }  // of the host that runs, which is the one that asks
  void sleep(nanoseconds t) override { advance(t); }
  void advance(nanoseconds t) {
    now_ += t;
    if (!hosts_.empty()) give_way();
  }
  void advance_to(nanoseconds t) {
    if (t > now_) advance(t - now_);
  }

  // A further host, whose time begins now. It must be gone before the clock is.
  std::unique_ptr<HostThread> host();
  // Lets others run, because only they can bring about what this host waits for. False: they all wait, too.
  bool wait_for_others();

 private:
  struct Host {
    nanoseconds now{};
    bool waits = false;  // until another host has done something
    std::binary_semaphore turn{0};
  };
  class Joined;
  static bool is_before(const Host& a, const Host& b) { return a.now != b.now ? a.now < b.now : a.waits < b.waits; }

  void give_way();
  Host& next() const;
  void hand_to(Host&);
  void leave(Host&);

  // All of this is touched by the host that runs alone; handing over the turn makes it known to the next.
  nanoseconds now_{};
  std::vector<std::unique_ptr<Host>> hosts_;  // none: there is one host only; else all of them, in the order made
  Host* running_ = nullptr;
};

}  // namespace strobe
