// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/calibration.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "device/cuda/cuda_stream.h"
#include "device/cuda/graph.h"
#include "stats/middle.h"

namespace strobe::cuda {
namespace {

constexpr int kRepeats = 51, kFew = 11;

template <class F>
double median_of(F&& f, int repeats = kRepeats) {
  std::vector<double> xs;
  for (int i = 0; i < repeats; ++i) xs.push_back(f());
  return stats::middle_of(std::move(xs));
}

class Calibrator {
 public:
  explicit Calibrator(CudaDevice& device)
      : device_(device), stream_(device.stream()), native_(static_cast<CUstream>(stream_->native())) {
    stream_->reserve(2);
    for (int i = 0; i < 10; ++i) device_.kernels().empty(native_);
    stream_->synchronize();
  }

  void quick(Calibration& f) {
    f["launch_ns"] = median_of([&] { return launch(); });
    if (gate_) f["kernel_pair_ns"] = median_of([&] { return pair(true); });
    f["kernel_pair_idle_ns"] = median_of([&] { return pair(false); });
    f["mark_pair_idle_ns"] = median_of([&] { return pair_of_marks(); });
    f["elapsed_ns"] = median_of([&] { return elapsed(); });
    f["sync_after_work_ns"] = median_of([&] { return synchronize(); });
    sync_blocking(f);
    graph(f, "graph_launch_ns", 10);
    timer_step(f);
  }

  void thorough(Calibration& f) {
    graph(f, "graph_launch_1_ns", 1);
    graph(f, "graph_launch_100_ns", 100);
    graph(f, "graph_launch_1000_ns", 1000);
    nvml(f);
    if (const auto depth = device_.queue_depth()) f["queue_depth"] = static_cast<double>(*depth);
    if (gate_) streams(f);
    device_.flush_cache(*stream_);
    stream_->synchronize();
    f["flush_ns"] = median_of([&] { return timed([&] { device_.flush_cache(*stream_); }); });
    flush_effect(f);
    f["copy_gbps"] = copy_rate();
    transfer_rates(f);
  }

 private:
  nanoseconds now() { return device_.clock().now(); }

  double launch() {
    stream_->synchronize();
    const nanoseconds begin = now();
    device_.kernels().empty(native_);
    return to_double(now() - begin);
  }

  template <class F>
  double timed(F&& work) {
    const Mark a = stream_->mark();
    work();
    const Mark b = stream_->mark();
    stream_->wait(b);
    return to_double(stream_->between(a, b));
  }

  double pair(bool queued) {
    stream_->synchronize();
    if (!queued) return timed([&] { device_.kernels().empty(native_); });
    Gate gate = device_.hold(*stream_, {});
    const Mark a = stream_->mark();
    device_.kernels().empty(native_);
    const Mark b = stream_->mark();
    gate.open();
    stream_->wait(b);
    return to_double(stream_->between(a, b));
  }

  double pair_of_marks() {
    stream_->synchronize();
    return timed([] {});
  }

  double elapsed() {
    const Mark a = stream_->mark(), b = stream_->mark();
    stream_->wait(b);
    const nanoseconds begin = now();
    stream_->between(a, b);
    return to_double(now() - begin);
  }

  // How late the host learns of the end of 20 µs of work that it has waited for.
  double synchronize() {
    const nanoseconds begin = now();
    device_.kernels().spin(native_, 20us, 0);
    stream_->synchronize();
    return to_double(now() - begin) - 20e3;
  }

  // The same when the host sleeps until an interrupt wakes it: what a caller's blocking waits cost here.
  void sync_blocking(Calibration& f) {
    const Driver& driver = device_.driver();
    CUevent event = nullptr;
    check(driver, driver.event_create(&event, CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING),
          "cannot create an event");
    const std::unique_ptr<CUevent_st, decltype(driver.event_destroy)> owner(event, driver.event_destroy);
    f["sync_blocking_ns"] = median_of([&] {
      const nanoseconds begin = now();
      device_.kernels().spin(native_, 20us, 0);
      check(driver, driver.event_record(event, native_), "cannot record an event");
      check(driver, driver.event_synchronize(event), "the device failed");
      return to_double(now() - begin) - 20e3;
    });
  }

  void graph(Calibration& f, const char* key, int nodes) {
    std::string why_not;
    const Graph g = capture(
        device_.driver(), native_,
        [&] {
          for (int i = 0; i < nodes; ++i) device_.kernels().empty(native_);
        },
        why_not);
    if (!g) return;
    g.launch(native_);
    f[key] = median_of([&] {
      stream_->synchronize();
      const nanoseconds begin = now();
      g.launch(native_);
      return to_double(now() - begin);
    });
  }

  // One call, on average over those that telemetry makes.
  void nvml(Calibration& f) {
    const auto telemetry = device_.telemetry();
    if (!telemetry || telemetry->columns.empty()) return;
    std::vector<double> row(telemetry->columns.size());
    const auto read = [&] {
      const nanoseconds begin = now();
      telemetry->read(row);
      return to_double(now() - begin) / static_cast<double>(row.size());
    };
    f["nvml_ns"] = median_of(read, kFew);
  }

  // The smallest step of the GPU's own timer, as a spinning kernel of 1 ns sees it.
  void timer_step(Calibration& f) {
    const Buffer truth = device_.buffer(sizeof(Truth), Place::pinned);
    const auto* t = reinterpret_cast<const volatile Truth*>(truth.bytes().data());
    double smallest = 1e9;
    for (int i = 0; i < kRepeats; ++i) {
      device_.kernels().spin(native_, 1ns, reinterpret_cast<CUdeviceptr>(truth.bytes().data()));
      stream_->synchronize();
      if (t->end > t->begin) smallest = std::min(smallest, static_cast<double>(t->end - t->begin));
    }
    if (smallest < 1e9) f["timer_step_ns"] = smallest;
  }

  void streams(Calibration& f) {
    const StreamLevels& levels = device_.stream_levels();
    for (const StreamLevel level : {StreamLevel::fast, StreamLevel::slow}) {
      const auto pause = levels.pause(level);
      if (!pause) continue;
      f[fmt::format("streams_{}", name(level))] = static_cast<double>(levels.count(level));
      f[fmt::format("stream_pause_{}_ns", name(level))] = *pause;
    }
    if (const auto pause = levels.pause(StreamLevel::any)) f["stream_pause_ns"] = *pause;
  }

  // How much longer a copy that the cache has room for takes after a flush than after itself: 1 where a flush does
  // nothing. Behind the gate, so that neither waits for its launch; what comes before does not, it may wait inside.
  void flush_effect(Calibration& f) {
    const std::size_t bytes = device_.l2_bytes() / 4;
    if (!gate_ || bytes == 0 || device_.memory()->free.count < 4 * bytes) return;
    const Buffer from = device_.buffer(bytes, Place::device), to = device_.buffer(bytes, Place::device);
    const auto copy = [&] { stream_->copy(to.bytes(), from.bytes()); };
    const auto copy_after = [&](auto&& before) {
      before();
      Gate gate = device_.hold(*stream_, {});
      const Mark a = stream_->mark();
      copy();
      const Mark b = stream_->mark();
      gate.open();
      stream_->wait(b);
      return to_double(stream_->between(a, b));
    };
    copy();
    const double hot = median_of([&] { return copy_after(copy); }, kFew);
    const double cold = median_of([&] { return copy_after([&] { device_.flush_cache(*stream_); }); }, kFew);
    if (hot > 0) f["flush_effect"] = cold / hot;
  }

  // Bytes read and written in a copy within the device's memory, at its best.
  double copy_rate() {
    const std::size_t bytes = std::min<std::size_t>(std::size_t{1} << 30, device_.memory()->free.count / 4);
    const Buffer from = device_.buffer(bytes, Place::device), to = device_.buffer(bytes, Place::device);
    double best = 0;
    for (int i = 0; i < 10; ++i)
      best = std::max(best, 2 * static_cast<double>(bytes) / timed([&] { stream_->copy(to.bytes(), from.bytes()); }));
    return best;
  }

  // Between pinned memory of the host and the device's, at its best.
  void transfer_rates(Calibration& f) {
    constexpr std::size_t kBytes = std::size_t{64} << 20;
    if (device_.memory()->free.count < 2 * kBytes) return;  // rather no figure than no room
    const Buffer host = device_.buffer(kBytes, Place::pinned), device = device_.buffer(kBytes, Place::device);
    const auto best = [&](const Buffer& to, const Buffer& from) {
      double rate = 0;
      for (int i = 0; i < 10; ++i)
        rate = std::max(rate, static_cast<double>(kBytes) / timed([&] { stream_->copy(to.bytes(), from.bytes()); }));
      return rate;
    };
    f["copy_in_gbps"] = best(device, host);
    f["copy_out_gbps"] = best(host, device);
  }

  CudaDevice& device_;
  std::unique_ptr<Stream> stream_;
  CUstream native_;
  const bool gate_ = static_cast<bool>(device_.can().gate);
};

}  // namespace

// Launches until one takes as long as only a full queue can make it: then the watchdog opens the gate.
std::uint64_t measure_queue_depth(CudaDevice& device) {
  constexpr std::uint64_t kMost = 100'000;
  constexpr nanoseconds kBlocked = 50ms;
  const auto stream = device.stream();
  const Gate gate = device.hold(*stream, {.patience = 200ms});
  for (std::uint64_t i = 0; i < kMost; ++i) {
    const nanoseconds begin = device.clock().now();
    device.kernels().empty(static_cast<CUstream>(stream->native()));
    if (device.clock().now() - begin > kBlocked || gate.tripped()) return i;
  }
  return kMost;
}

Calibration calibrate(CudaDevice& device, Depth depth) {
  Calibration f;
  Calibrator c(device);
  c.quick(f);
  if (depth == Depth::thorough) c.thorough(f);
  return f;
}

}  // namespace strobe::cuda
