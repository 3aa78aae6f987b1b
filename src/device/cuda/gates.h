// SPDX-License-Identifier: Apache-2.0
// Gates on CUDA streams. The word is a counter in mapped host memory that never goes back; a stream waits until it has
// reached the gate's ticket, and it is advanced only by a host store: a thread that is blocked inside the driver may
// hold its lock, and the watchdog must be able to open the gate all the same.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/units.h"
#include "device/cuda/driver.h"
#include "device/cuda/kernels.h"
#include "device/gate.h"

namespace strobe::cuda {

// What forbids a gate here, whatever the workload: empty when nothing does. A spinning gate takes time from others on
// the same GPU; a waiting stream takes none.
struct GateSituation {
  bool kernel_launches_block = false;
  std::string profiler = {};
  bool wait_value = true;
  bool other_processes = false;
};
std::string gate_forbidden(const GateSituation&);

class Gates final : public GateKeeper {
 public:
  Gates(const Driver&, const Kernels&);
  ~Gates() override;
  Gates(const Gates&) = delete;
  Gates& operator=(const Gates&) = delete;

  // Queues the gate, closed, and starts the watchdog's clock. Opening a gate opens every earlier one too.
  Gate close(CUstream, const GateOptions&, bool wait_value);

  // The watchdog runs on these CPUs alone, also one that is started later. On the thread that closes gates.
  void keep_watchdog_on(const std::vector<int>& cpus);

  void open(std::uint32_t ticket) noexcept override;
  bool tripped(std::uint32_t ticket) const noexcept override;

 private:
  void start_watchdog();
  void watch();
  void advance(std::uint32_t ticket) noexcept;

  const Driver& driver_;
  const Kernels& kernels_;
  std::uint32_t* word_ = nullptr;  // mapped; written through std::atomic_ref only
  CUdeviceptr device_word_ = 0;
  std::uint32_t last_ = 0;                 // ticket given out last
  std::atomic<std::uint32_t> closed_{0};   // the ticket being watched; 0: none
  std::atomic<std::int64_t> deadline_{0};  // on the steady clock, ns
  std::atomic<std::uint32_t> tripped_{0};  // the last one that the watchdog opened
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread watchdog_;            // started by the first gate
  std::vector<int> watchdog_cpus_;  // empty: those of the thread that starts it
};

}  // namespace strobe::cuda
