// SPDX-License-Identifier: Apache-2.0
// Who decides how many requests are made and when it is enough. Loops bring what they know (a goal, a count, their
// clock, an opinion from their samples) and do what they are told; between two answers they only count. So one
// conductor can make several devices or processes do the same, whatever their clocks and samples say: whoever gets the
// same answers makes the same requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/units.h"

namespace strobe {

// How far one stretch of requests means to go. Times are those of the asker's clock.
struct Goal {
  nanoseconds until = nanoseconds::min();     // until then, …
  std::size_t least = 0;                      // … with at least this many that count …
  std::size_t most = SIZE_MAX;                // … and at most this many
  std::size_t room = SIZE_MAX;                // for all of them, once there are enough that count
  nanoseconds deadline = nanoseconds::max();  // none begins after this …
  bool needs_one = false;                     // … but for the first that counts
};

struct Count {
  std::size_t kept = 0, all = 0;
};

// Is the goal still ahead, by one clock?
inline bool falls_short(const Goal& g, const Count& done, nanoseconds now) {
  if (done.kept >= g.most) return false;
  if (done.all >= g.room && done.kept >= g.least) return false;
  if (now >= g.deadline && (done.kept > 0 || !g.needs_one)) return false;
  return done.kept < g.least || now < g.until;
}

class Conductor {
 public:
  virtual ~Conductor() = default;

  // Did somebody outside ask for the end? Asked on the thread that measures.
  virtual bool stopped() = 0;
  // Another request? Asked after each, outside every interval, with the clock's last reading: it must be quick. Streams
  // with a thread of their own ask there.
  virtual bool more(const Goal&, const Count& done, nanoseconds now) = 0;
  // Between two stretches: has this time come?
  virtual bool reached(nanoseconds when, nanoseconds now) = 0;
  // Something that follows from what was seen here, and on which the next requests depend.
  virtual bool decide(bool here) = 0;
  // A figure from which later goals are made.
  virtual double agree(double here) = 0;

  nanoseconds agree(nanoseconds here) { return to_nanoseconds(agree(to_double(here))); }
};

// Alone: its own clock and its own samples decide.
class LocalConductor final : public Conductor {
 public:
  explicit LocalConductor(std::function<bool()> stop = {}) : stop_(std::move(stop)) {}

  bool stopped() override { return stop_ && stop_(); }
  bool more(const Goal& g, const Count& done, nanoseconds now) override { return falls_short(g, done, now); }
  bool reached(nanoseconds when, nanoseconds now) override { return now >= when; }
  bool decide(bool here) override { return here; }
  double agree(double here) override { return here; }
  using Conductor::agree;

 private:
  std::function<bool()> stop_;
};

}  // namespace strobe
