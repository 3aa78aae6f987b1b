// SPDX-License-Identifier: Apache-2.0
// What a simulated device and the work on it are like: one struct, one text form `key=value,…`, and a table of named
// scenarios. Unset keys are 0: no cost, no noise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace strobe {

struct KernelRun {  // `count` kernels of equal length
  std::uint32_t count = 1;
  nanoseconds length{};
};

// What is drawn once for all requests of a launch or of a load.
struct SimEffect {
  double noise = 0;                          // standard deviation of the log of its factor
  double level_factor = 1, level_share = 0;  // this share of them is on another level
};

// What the device has, and what a workload takes of it.
struct SimMemory {
  Bytes total = {};        // 0: nobody counts
  Bytes segment = {};      // what the allocator asks for at a time, a multiple of this; 0: exactly what it needs
  Bytes weights = {};      // at the load, for good
  Bytes workspace = {};    // at the first request, for good
  Bytes fragments = {};    // taken and given back in the first request: its segments stay
  Bytes driver = {};       // what the driver takes for itself in the first request, which no allocator knows of
  Bytes activations = {};  // each layer's, given back when the next one has its own
  Bytes grow = {};         // a leak of each request
  Bytes graph = {};        // of a graph, at its capture
};

struct SimParameters {
  std::string name = "sim";
  std::vector<KernelRun> kernels;     // 20x1us+2x50us
  nanoseconds kernel_launch{};        // host cost per kernel, paid before the kernel is queued
  nanoseconds mark{};                 // host cost of recording a mark
  nanoseconds mark_gpu{};             // device time a mark takes; it is stamped at its end
  nanoseconds tick{1};                // marks are stamped in whole ticks
  nanoseconds sync{};                 // host cost of returning from a wait
  nanoseconds copy_in{}, copy_out{};  // device time of the transfers
  Bytes cache, input;                 // the last-level cache, and the inputs of one request; 0: there is none
  nanoseconds miss{};                 // what a request takes longer whose inputs are not in the cache
  nanoseconds flush{};                // device time of flushing the cache, which costs the host a launch
  std::size_t at_once = 0;            // kernels of all streams that run at the same time; 0: any number
  nanoseconds first{};                // extra host time of the first request
  double warm = 1;                    // factor at the first request, approaching 1 …
  double warm_requests = 0;           // … exponentially over so many requests
  double noise = 0;                   // standard deviation of the log of a request's factor
  double ar = 0;                      // correlation of that noise from one request to the next
  double outlier_share = 0, outlier_factor = 1;
  double burst_factor = 1, burst_length = 0, burst_share = 0;  // length in requests
  double drift = 0;                                            // relative per second
  double mode_factor = 1, mode_share = 0, mode_dwell = 0;      // dwell in requests
  double shift_factor = 1;
  std::optional<nanoseconds> shift_at;
  double throttle = 1;  // clock factor of the device, below 1, …
  std::optional<nanoseconds> throttle_at;
  nanoseconds pause{};                                   // the device's, after each kernel that the host launches …
  double slow_stream_factor = 1, slow_stream_share = 0;  // … longer on this share of the streams
  nanoseconds sleep_after{};                             // the device sleeps after so long without work; 0: never
  nanoseconds wake{};                                    // what it then needs before it begins the next
  double idle_power = 0, active_power = 0;               // watts: always, and beside that for each kernel that runs
  nanoseconds energy_step{}, energy_read{};              // how often its counter steps; what reading it takes the host
  SimEffect of_launch, of_load;
  std::uint64_t launch = 0, load = 0;      // which process of a study this is, and which load within it
  nanoseconds escape{};                    // work put on another stream, which no mark of the request's stream sees
  nanoseconds leak{};                      // the same, but the request's stream waits for it at its end
  bool hidden_sync = false;                // the workload waits for its own work half way through
  std::size_t queue = 0;                   // kernel launches of a stream that may be outstanding; 0: any
  std::optional<std::uint64_t> seed = {};  // none was given: 1
  SimMemory memory = {};

  std::uint32_t kernel_count() const;
  nanoseconds kernel_time() const;  // N·K: what the device must work for one request
  std::size_t cached_sets() const;  // input sets that the cache has room for
};

struct SimScenario {
  std::string_view name, parameters, about;
};
std::span<const SimScenario> sim_scenarios();

// "launch=5us,kernels=20x1us" or the name of a scenario, which further keys may follow: "device-bound,noise=0.01".
SimParameters parse_sim(std::string_view text);

}  // namespace strobe
