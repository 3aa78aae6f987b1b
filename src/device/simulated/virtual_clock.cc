// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/virtual_clock.h"

#include <algorithm>

namespace strobe {

class VirtualClock::Joined final : public HostThread {
 public:
  Joined(VirtualClock& clock, Host& host) : clock_(clock), host_(host) {}
  ~Joined() override { clock_.leave(host_); }
  void begin() override { host_.turn.acquire(); }

 private:
  VirtualClock& clock_;
  Host& host_;
};

std::unique_ptr<HostThread> VirtualClock::host() {
  if (hosts_.empty()) running_ = hosts_.emplace_back(std::make_unique<Host>()).get();
  Host& added = *hosts_.emplace_back(std::make_unique<Host>());
  added.now = now_;
  return std::make_unique<Joined>(*this, added);
}

VirtualClock::Host& VirtualClock::next() const {
  return **std::min_element(hosts_.begin(), hosts_.end(),
                            [](const auto& a, const auto& b) { return is_before(*a, *b); });
}

// The time of the host that runs is the clock's; that of the others is with them. Nothing is touched afterwards: from
// then on it is the other's.
void VirtualClock::hand_to(Host& to) {
  running_ = &to;
  now_ = to.now;
  to.turn.release();
}

void VirtualClock::give_way() {
  if (hosts_.size() == 1) {  // the others are gone
    hosts_.clear();
    running_ = nullptr;
    return;
  }
  Host& self = *running_;
  self.now = now_;
  Host& to = next();
  if (&to == &self) return;
  hand_to(to);
  self.turn.acquire();
}

bool VirtualClock::wait_for_others() {
  const Host* first = nullptr;  // of those that still do something
  for (const auto& h : hosts_) {
    if (h.get() != running_ && !h->waits && (!first || h->now < first->now)) first = h.get();
  }
  if (!first) return false;
  // Nothing happens before its time.
  now_ = std::max(now_, first->now);
  Host& self = *running_;
  self.waits = true;
  give_way();
  self.waits = false;
  return true;
}

void VirtualClock::leave(Host& gone) {
  const bool ran = running_ == &gone;
  std::erase_if(hosts_, [&](const auto& h) { return h.get() == &gone; });
  if (ran) hand_to(next());
}

}  // namespace strobe
