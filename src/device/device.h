// SPDX-License-Identifier: Apache-2.0
// A device: where streams come from, what it can do, and what it is called. Implementations: `simulated`,
// `inline_device` (the CPU, where work is done when submit returns), `cuda`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>
#include <strobe/workload.h>

#include "base/units.h"
#include "device/buffer.h"
#include "device/clock.h"
#include "device/counters.h"
#include "device/energy.h"
#include "device/gate.h"
#include "device/host_thread.h"
#include "device/power_state.h"
#include "device/stream_levels.h"
#include "device/tracer.h"
#include "device/true_kernel.h"
#include "host/sampler.h"

namespace strobe {

// A yes, or a no with its reason.
struct Capability {
  std::string why_not;
  explicit operator bool() const { return why_not.empty(); }
};

// What any watchdog may be given: a gate that spins ends by itself later than this.
inline constexpr nanoseconds kLongestPatience = 20s;

// How a closed gate holds the stream, and how long before the watchdog opens it.
struct GateOptions {
  enum class Kind { automatic, wait_value, spin } kind = Kind::automatic;
  nanoseconds patience = 500ms;
};

struct DeviceMemory {
  Bytes free, total;
};

enum class FloatFormat { f16, bf16, f32 };

// What marks, kernel launches, waits and the like cost: every key is in docs/records.md.
using Calibration = std::map<std::string, double, std::less<>>;
enum class Depth { brief, thorough };  // the latter adds what takes a second

enum class Math { f32, tf32, f16, bf16 };

struct Capabilities {
  Capability asynchronous;    // submit returns before the work is done
  Capability gate;            // work can be held back
  Capability flush;           // the cache can be emptied
  Capability spin_gate = {};  // work can be held back by a kernel that spins, should the method ask for that
};

class Device {
 public:
  virtual ~Device() = default;

  virtual Clock& clock() = 0;
  virtual Capabilities can() const = 0;
  virtual DeviceInfo info() const = 0;
  virtual std::unique_ptr<Stream> stream() = 0;
  // Null: it has none of this level.
  virtual std::unique_ptr<Stream> stream_at(StreamLevel) { return nullptr; }
  // Of streams that it makes, probed when first asked for; none where they cannot differ or cannot be probed.
  virtual const StreamLevels& stream_levels() { return no_levels_; }
  // The same of one stream, whoever made it.
  virtual std::optional<double> kernel_pause(Stream&) { return std::nullopt; }
  virtual std::unique_ptr<Stream> adopt(void* native) = 0;  // a runtime's or the user's own stream
  virtual Gate hold(Stream&, const GateOptions& = {}) = 0;
  virtual void synchronize() = 0;  // everything on the device
  virtual void flush_cache(Stream&) = 0;
  virtual Buffer buffer(std::size_t bytes, Place) = 0;
  virtual nanoseconds tick() const = 0;  // of its marks

  // For every further thread that will use the device.
  virtual std::unique_ptr<HostThread> host_thread() { return std::make_unique<HostThread>(); }
  // Its own threads run on these CPUs alone. Called by the thread that measures.
  virtual void keep_threads_on(const std::vector<int>& /*cpus*/) {}
  // Of the device's own memory; none: it uses the host's.
  virtual std::optional<DeviceMemory> memory() const { return std::nullopt; }
  // What lies between its processors and its memory, as a whole; none: nobody knows.
  virtual std::optional<Bytes> last_level_cache() const { return std::nullopt; }
  virtual Counters& counters() { return no_counters_; }
  // What it takes out of the wall.
  virtual EnergySource energy() { return {nullptr, "this device has no counter of its energy that Strobe can read"}; }
  // Read beside its work: it must neither wake the device nor take its time.
  virtual PowerState power_state() { return {}; }
  // Does it clock differently where it idles now and then?
  virtual bool clock_follows_load() const { return false; }
  // What its own operations cost, beyond what every device has (measure/calibration.h).
  virtual Calibration calibrate(Depth) { return {}; }
  // The best it does in matrix products, in 10¹² operations a second, a multiply-add counting 2; none: it cannot tell.
  virtual std::optional<double> peak(Math) { return std::nullopt; }
  // Null: it has none.
  virtual std::unique_ptr<TrueKernel> true_kernel() { return nullptr; }
  // Kernels that `work` launches on the stream, by a capture that never runs; none: it cannot be captured.
  virtual std::optional<std::uint64_t> count_kernels(Stream&, const std::function<void()>& /*work*/) {
    return std::nullopt;
  }
  // Both ends of what a profiler from outside is to see (profiler_window.h).
  virtual void profiler_starts() {}
  virtual void profiler_stops() {}
  // One at a time.
  virtual Tracing tracer() { return {nullptr, "Strobe cannot trace work on this device yet"}; }
  // Kernel launches that a stream accepts while a gate is closed; none: there is no limit, or it cannot tell.
  virtual std::optional<std::uint64_t> queue_depth() { return std::nullopt; }
  // Other devices of its kind on which this process has a context: work there is in no figure of this one.
  virtual std::vector<std::string> others_in_use() const { return {}; }
  // What to sample beside a run.
  virtual std::optional<TelemetrySource> telemetry() { return std::nullopt; }
  // Queues the filling of device memory with seeded normal numbers; false: fill on the host, then copy.
  virtual bool fill_normal(Stream&, std::span<std::byte>, FloatFormat, std::uint64_t /*seed*/) { return false; }

 private:
  Counters no_counters_;
  StreamLevels no_levels_;
};

}  // namespace strobe
