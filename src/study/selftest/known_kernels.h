// SPDX-License-Identifier: Apache-2.0
// Kernels of known length, timed in every usual way.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/device.h"

namespace strobe {

enum class Way {
  naive,
  sync,
  event,
  event_queued,
  block_host,
  block,
  gated,
  gated_spin,
  graph,
  graph_event,
};

struct NamedWay {
  Way way;
  const char *name, *about;
  bool is_truth;  // it claims to read the kernel's own time
};
std::span<const NamedWay> ways();

inline constexpr std::array kLengths{20us, 200us, 2000us, 20000us};

struct Reading {
  double read = 0, truth = 0;  // ns, medians
  double offset = 0;           // what the reading has beyond the truth
};

// The smallest and the largest offset over the lengths. Where a way reads what it claims, it is one constant.
struct OffsetRange {
  double low = 0, high = 0;
  double width() const { return high - low; }
};
OffsetRange offset_range(std::span<const Reading>);

// How far offsets may lie apart and still be one constant: two ticks of the coarser of the two clocks (the kernels' own
// timer is that on some chips), and a nanosecond for rounding.
double allowed_offset_width(const Device&, const Calibration&);

class KnownKernels {
 public:
  explicit KnownKernels(Device&);  // which has a true kernel

  // One for each length; fewer when it was stopped. Lengths take turns, so that a clock that ramps or a chip that warms
  // hits all of them alike.
  std::vector<Reading> medians(Way, const std::function<bool()>& stop);

  // The same, taken up to three times where the offsets lie further apart than `allowed`; then of each length the one
  // with the middle offset. What differs between lengths does so each time; what disturbs one of them does not.
  std::vector<Reading> settled(Way, double allowed, const std::function<bool()>& stop);

  // Time from the first call for a sample to the last before the host waits; of sync, event and gated.
  double host_cost(Way);

 private:
  using Launch = std::function<void()>;
  double once(Way, nanoseconds length, const Launch* graph);
  double by_host_clock(Way, nanoseconds length);
  double queued(nanoseconds length);
  std::vector<Launch> captured(nanoseconds length);

  Device& device_;
  std::unique_ptr<TrueKernel> kernel_;
  Stream& stream_;
};

}  // namespace strobe
