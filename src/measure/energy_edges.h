// SPDX-License-Identifier: Apache-2.0
// Where a window of energy may begin and end: at the steps of the counter, which a GPU's makes every 100 ms. What lies
// between two of them is exact but for the time that a reading takes; what is read at any moment may be a step too old.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/units.h"
#include "device/clock.h"
#include "device/energy.h"
#include "device/host_thread.h"

namespace strobe {

struct EnergyEdge {
  nanoseconds at{};     // in the middle between the last reading before the step and the first that showed it …
  nanoseconds error{};  // … and how far off that may be
  double joules = 0;    // what the counter shows from then on
};

// Reads until the counter steps. None: `stop` said so. Throws Error (failed) where it does not step, as it should even
// of a device that idles.
std::optional<EnergyEdge> next_edge(EnergyCounter&, Clock&, const std::function<bool()>& stop);

// From one step to another.
struct EnergyStretch {
  EnergyEdge from, to;

  nanoseconds length() const { return to.at - from.at; }
  double joules() const { return to.joules - from.joules; }
  // How far its power may be off because of where it begins and ends, relative.
  double error() const { return to_double(from.error + to.error) / to_double(length()); }
};

// From the first step after `lead` to the first once `length` is over.
std::optional<EnergyStretch> read_stretch(EnergyCounter&, Clock&, nanoseconds lead, nanoseconds length,
                                          const std::function<bool()>& stop);

// The same on a thread of its own, beside requests: each reading may take milliseconds of whoever reads.
class StretchReader {
 public:
  // `cpus`: where its thread runs; empty: wherever the one that makes it may.
  StretchReader(EnergyCounter&, Clock&, std::unique_ptr<HostThread>, nanoseconds lead, nanoseconds length,
                const std::vector<int>& cpus);
  ~StretchReader();
  StretchReader(const StretchReader&) = delete;
  StretchReader& operator=(const StretchReader&) = delete;

  bool done() const { return done_.load(std::memory_order_acquire); }
  // Ends it early where it is not done; none then. Throws what reading threw.
  std::optional<EnergyStretch> take();

 private:
  void read(nanoseconds lead, nanoseconds length);
  void finish();

  EnergyCounter& counter_;
  Clock& clock_;
  std::unique_ptr<HostThread> host_;
  std::optional<EnergyStretch> stretch_;
  std::exception_ptr failure_;
  std::atomic<bool> cancelled_ = false, done_ = false;
  std::thread thread_;  // last: it starts when everything else is there
};

}  // namespace strobe
