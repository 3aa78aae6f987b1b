// SPDX-License-Identifier: Apache-2.0
// Watches the host beside a run: a thread of its own that reads a few small files of the kernel ten times a second.
// Makes no call that a measured device could notice.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include <strobe/record.h>

#include "base/units.h"

namespace strobe {

// Counters of the whole machine since it was started, in clock ticks.
struct CpuTimes {
  std::uint64_t busy = 0, steal = 0, total = 0;
};
CpuTimes parse_cpu_times(std::string_view proc_stat);

// More columns for the sampler, read on its thread: what a device tells of itself. A value that is not known is NaN.
struct TelemetrySource {
  std::vector<std::string> columns;
  std::function<void(std::span<double>)> read;
  // Facts that are shares of the time, from counters of nanoseconds that are read at the beginning and at the end: what
  // lasts less than an interval is in them, too.
  std::vector<std::string> shares = {};
  std::function<void(std::span<double>)> count = {};
  std::function<void(Scalars&)> tell = {};  // further facts, at the end
};

class HostSampler {
 public:
  explicit HostSampler(std::optional<TelemetrySource> more = {}, nanoseconds interval = 100ms);
  ~HostSampler();
  HostSampler(const HostSampler&) = delete;
  HostSampler& operator=(const HostSampler&) = delete;

  // Its thread runs on these CPUs alone.
  void keep_on(const std::vector<int>& cpus);

  // Ends the thread. Columns: busy (share of all CPUs), steal (share), mhz (where the kernel tells); facts:
  // steal_share, busy_share, throttled (times the cgroup's quota stopped us), context switches, and the source's
  // shares.
  Telemetry stop();

 private:
  void run();
  void take();
  void join();
  std::vector<double> counts() const;
  void add_shares();

  std::optional<TelemetrySource> more_;
  nanoseconds interval_, begun_;
  Telemetry telemetry_;
  CpuTimes first_, last_;
  std::optional<std::uint64_t> throttled_;
  std::vector<double> counts_;  // at the beginning
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false, ended_ = false;
  std::thread thread_;  // last: it starts when everything else is there
};

}  // namespace strobe
