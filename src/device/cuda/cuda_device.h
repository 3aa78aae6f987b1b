// SPDX-License-Identifier: Apache-2.0
// An NVIDIA GPU through the driver's API. It uses the primary context, so streams are shared with every runtime in the
// process. Only measuring threads make CUDA calls; the gate's watchdog merely stores a word.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/cuda/clock_counter.h"
#include "device/cuda/context.h"
#include "device/cuda/cupti_session.h"
#include "device/cuda/driver.h"
#include "device/cuda/gates.h"
#include "device/cuda/kernels.h"
#include "device/cuda/nvml.h"
#include "device/cuda/select.h"
#include "device/cuda/stream_pool.h"
#include "device/device.h"

namespace strobe::cuda {

class CudaDevice final : public Device {
 public:
  // `which`: an index or a UUID. The board's other processes are listed before our context exists.
  // `traced`: recording begins before the context is made.
  explicit CudaDevice(std::string_view which, bool traced = false);
  // Tests bring a driver and a board of their own.
  using OpenBoard = std::function<std::shared_ptr<Board>(const Gpu&, std::string& why_not)>;
  CudaDevice(Driver driver, std::string_view which, const OpenBoard& = open_board,
             std::shared_ptr<CuptiSession> session = nullptr);
  ~CudaDevice() override;

  Clock& clock() override { return clock_; }
  Capabilities can() const override;
  DeviceInfo info() const override;
  std::unique_ptr<Stream> stream() override;
  std::unique_ptr<Stream> stream_at(StreamLevel) override;
  const StreamLevels& stream_levels() override { return streams_.levels(); }
  std::optional<double> kernel_pause(Stream&) override;
  std::unique_ptr<Stream> adopt(void* native) override;
  Gate hold(Stream&, const GateOptions&) override;
  void synchronize() override;
  void flush_cache(Stream&) override;
  Buffer buffer(std::size_t bytes, Place) override;
  nanoseconds tick() const override { return tick_; }
  std::unique_ptr<HostThread> host_thread() override;
  void keep_threads_on(const std::vector<int>& cpus) override { gates_->keep_watchdog_on(cpus); }
  std::optional<DeviceMemory> memory() const override;
  bool fill_normal(Stream&, std::span<std::byte>, FloatFormat, std::uint64_t seed) override;
  Counters& counters() override { return *clocks_; }
  PowerState power_state() override { return board_ ? board_->power_state() : PowerState{}; }
  bool clock_follows_load() const override { return true; }
  Calibration calibrate(Depth) override;
  std::optional<double> peak(Math) override;
  std::unique_ptr<TrueKernel> true_kernel() override;
  std::optional<std::uint64_t> count_kernels(Stream&, const std::function<void()>& work) override;
  std::optional<std::uint64_t> queue_depth() override;
  std::vector<std::string> others_in_use() const override;
  std::optional<TelemetrySource> telemetry() override;
  void profiler_starts() override;
  void profiler_stops() override;
  EnergySource energy() override;
  Tracing tracer() override;

  const Driver& driver() const { return driver_; }
  const Kernels& kernels() const { return *kernels_; }
  std::size_t l2_bytes() const { return l2_bytes_; }
  std::optional<Bytes> last_level_cache() const override {
    return l2_bytes_ > 0 ? std::optional(Bytes{l2_bytes_}) : std::nullopt;
  }

 private:
  static std::shared_ptr<Board> open_board(const Gpu& g, std::string& why_not) {
    return Board::open(g.uuid, g.pci_bus_id, why_not);
  }
  int attribute(CUdevice_attribute) const;
  std::optional<std::size_t> persisting_l2() const;
  nanoseconds measure_tick();
  Scalars facts() const;
  bool has_neighbours() const { return other_processes_.value_or(0) > 0; }

  Driver driver_;
  Gpu gpu_;
  std::string board_why_not_;
  std::shared_ptr<Board> board_;
  Scalars board_facts_;
  bool used_before_;                            // this process had a context already: the board's load may be our own
  std::optional<std::size_t> other_processes_;  // none: the board does not tell
  std::optional<double> busy_before_;
  std::shared_ptr<CuptiSession> session_;  // outlives the context; null: nobody asked for it
  Context context_;
  std::size_t persisting_l2_default_ = 0;  // what the driver sets aside by itself; 0 where it was too late to see
  SteadyClock clock_;
  std::unique_ptr<Kernels> kernels_;
  std::unique_ptr<Gates> gates_;
  bool wait_value_ = false;
  int multiprocessors_ = 0;
  std::size_t l2_bytes_ = 0;
  nanoseconds tick_{};
  std::string profiler_;
  std::unique_ptr<ClockCounter> clocks_;
  Buffer flush_write_, flush_read_;
  StreamPool streams_{*this};
  std::optional<std::uint64_t> queue_depth_;  // once it was measured
};

}  // namespace strobe::cuda
