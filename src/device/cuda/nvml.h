// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library: what the board is doing. Found at run time like the driver; every function may be
// missing or unsupported, and then the quantity is unknown, never 0.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <nvml.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "device/energy.h"
#include "device/power_state.h"
#include "host/sampler.h"

namespace strobe::cuda {

// One board, by its UUID: never by index, which CUDA and NVML count differently.
class Board {
 public:
  // None, and why, where the library or the board cannot be reached.
  static std::shared_ptr<Board> open(const std::string& uuid, const std::string& pci_bus_id, std::string& why_not);
  virtual ~Board() = default;

  virtual Scalars facts() const = 0;                                   // driver, limits, modes
  virtual std::optional<std::vector<unsigned>> processes() const = 0;  // that compute on the board now
  virtual std::optional<double> busy() const = 0;                      // share of the last second or so
  virtual PowerState power_state() const { return {}; }                // clock of the processors, P-state
  // Columns sm_mhz, memory_mhz, power_w, temperature_c, gpu_busy, throttle (a mask of clock event reasons), pstate, and
  // those of GPM (gpm.h) where it has them, or the fact why not; shares of the time by why the clock was lowered.
  virtual TelemetrySource telemetry() const = 0;
  virtual EnergySource energy() const { return {nullptr, "NVML does not tell"}; }
  // The clock of its processors, until it is reset: by whoever locked it, because it outlives the process. Throws
  // Error.
  virtual void lock_clocks(unsigned /*mhz*/) {}
  virtual bool reset_clocks() { return false; }
};

// Why NVML gives no energy, in words.
std::string energy_refused(nvmlReturn_t);

// P0 to P15; none where NVML does not know it, or not on this board.
std::optional<int> p_state(nvmlReturn_t answer, nvmlPstates_t state);

// Why the board lowered its clocks: nanoseconds since the driver was loaded, in the order of `kThrottleShares`. Drivers
// that lack one of them may count the others in another unit: then all are unknown.
inline constexpr std::array kThrottleShares{"thermal_slowdown_share", "hardware_slowdown_share", "power_brake_share",
                                            "power_cap_share"};
using ReadFields = std::function<nvmlReturn_t(int count, nvmlFieldValue_t*)>;
void read_throttle_counters(const ReadFields&, std::span<double> row);

// The numbers of all processes that `list` knows of, however many; none: it does not tell. `list` is called as NVML's
// functions are, with the room there is, and writes how many there are.
using ListProcesses = std::function<nvmlReturn_t(unsigned* count, nvmlProcessInfo_t*)>;
std::optional<std::vector<unsigned>> all_processes(const ListProcesses& list);

// Those of `listed` that are not this process. Where `has_context`, this process is among them: in a container its
// entry has the number it has outside, and then any one entry is taken for it.
std::vector<unsigned> others_among(std::vector<unsigned> listed, bool has_context, unsigned own);

}  // namespace strobe::cuda
