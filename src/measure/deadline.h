// SPDX-License-Identifier: Apache-2.0
// --max-time of a study that can only end between two requests: a conductor with one more reason to stop, and a way to
// tell it from the others afterwards.
#pragma once

#include <optional>

#include "base/units.h"
#include "device/clock.h"
#include "measure/conductor.h"

namespace strobe {

// Where a time that counts from now on ends.
inline nanoseconds end_of(const std::optional<nanoseconds>& max_time, const Clock& clock) {
  return max_time ? clock.now() + *max_time : nanoseconds::max();
}

class Deadline final : public Conductor {
 public:
  // `end`: on this clock.
  Deadline(Clock& clock, nanoseconds end, Conductor& whole) : clock_(clock), whole_(whole), end_(end) {}

  bool asked() { return whole_.stopped(); }
  bool up() { return end_ != nanoseconds::max() && whole_.reached(end_, clock_.now()); }
  bool stopped() override { return asked() || up(); }

  bool more(const Goal& g, const Count& done, nanoseconds now) override { return whole_.more(g, done, now); }
  bool reached(nanoseconds when, nanoseconds now) override { return whole_.reached(when, now); }
  bool decide(bool here) override { return whole_.decide(here); }
  double agree(double here) override { return whole_.agree(here); }
  using Conductor::agree;

 private:
  Clock& clock_;
  Conductor& whole_;
  nanoseconds end_;
};

}  // namespace strobe
