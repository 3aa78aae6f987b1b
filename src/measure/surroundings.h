// SPDX-License-Identifier: Apache-2.0
// What is watched beside a measurement, alike in every study: the machine's telemetry (a thread of its own), what the
// operating system did to the process, how quiet the host is, the device's own counters, what requests compute and
// whether any of their work escapes, and on which CPUs it was measured. A simulated device has a time of its own:
// nothing of this machine is watched then.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <strobe/record.h>
#include <strobe/workload.h>

#include "device/device.h"
#include "host/sampler.h"
#include "measure/conductor.h"
#include "measure/cpu_watch.h"
#include "measure/host_watch.h"

namespace strobe {

class Surroundings {
 public:
  enum class Watch { everything, nothing };  // the latter where whoever watches would be watched

  explicit Surroundings(Device&, Watch = Watch::everything);

  // Before the first timed request.
  void add_outputs(const std::optional<OutputCheck>&);  // of several workloads the worst of each
  void look_for_escaped_work(Workload&, std::size_t& next_request, Conductor&);
  // Between rounds: the operating system's counters, and one fixed piece of work on the CPU of the thread that
  // measures.
  void look();
  void beat();
  // On the thread that measures, at both ends of a segment whose figure has this name.
  void begin_segment();
  void end_segment(std::string_view metric);
  // The same with what the device counts in between, for work on this stream.
  void begin_segment(Stream&);
  void end_segment(std::string_view metric, Stream&);
  // That thread may run on no other CPU.
  void stays_on(int cpu);
  // The telemetry's thread runs on these alone.
  void keep_threads_on(const std::vector<int>& cpus);
  // What the device counted around a segment whose figure has this name.
  void add_counted(std::string_view metric, const Counted&);

  const std::optional<OutputCheck>& outputs() const { return outputs_; }
  void set_outputs(OutputCheck o) { outputs_ = std::move(o); }  // after the last request they were checked again
  // Times between two looks in which libraries were loaded, from this time of the device's clock on.
  std::vector<std::pair<nanoseconds, nanoseconds>> loading(nanoseconds from) const { return host_.loading(from); }

  // What there is so far; what the operating system did from this time of the device's clock on.
  void observe(nanoseconds from, Observations&) const;
  // Before everything sleeps: a thread that looks around ten times a second would keep it awake.
  void end_telemetry();
  // Ends it, and gives it, once.
  Telemetry telemetry();

 private:
  Device& device_;
  const bool real_;
  std::optional<HostSampler> sampler_;
  Telemetry sampled_;  // once it has ended
  HostWatch host_;
  CpuWatch cpus_;
  std::vector<double> canary_;                                      // ns
  std::map<std::string, std::vector<double>, std::less<>> clocks_;  // MHz in each segment, by metric
  std::optional<OutputCheck> outputs_;
  std::optional<double> escaped_ns_;
};

}  // namespace strobe
