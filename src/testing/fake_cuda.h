// SPDX-License-Identifier: Apache-2.0
// A driver table without a driver: enough of CUDA's behaviour to test what Strobe does with it. Streams run at once
// unless a gate holds them; waiting for held work blocks until the gate's word is advanced, as on a real machine. A
// thread without a current context is refused.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "device/cuda/driver.h"

namespace strobe::testing {

// What a fake profiler is told of.
struct FakeActivity {
  enum class Kind { kernels, copy, wait } kind = Kind::kernels;
  CUstream stream = nullptr;                                      // of a wait: null is every one
  std::vector<std::pair<std::string, nanoseconds>> kernels = {};  // names and lengths: of a graph, several
  std::size_t bytes = 0;
};

// What the fake driver is told to do, and what it saw. One at a time: reset by making a table.
struct FakeCuda {
  CUresult retain = CUDA_SUCCESS;       // of the primary context
  CUresult next_launch = CUDA_SUCCESS;  // of the next kernel; then success again
  CUresult end_capture = CUDA_SUCCESS;
  CUresult synchronize = CUDA_SUCCESS;  // of a stream: anything else is a broken context
  std::size_t memory = std::size_t{1} << 30;
  std::size_t persisting_l2 = 0;  // bytes set aside
  int devices = 1;
  std::map<CUdevice_attribute, int> attributes{// of every device; others are 1
                                               {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
                                               {CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, CU_COMPUTEMODE_DEFAULT}};
  std::map<CUdevice, int> contexts;  // how often each device's primary context is retained, by anyone in this process
  std::map<CUstream, CUdevice> owners;  // of streams that do not belong to the current context
  bool capturing = false;
  std::size_t captured = 0;  // kernels of the last capture; its graph has a node more, an event
  double sm_mhz = 0;         // what the clock kernel finds; 0: it does not run
  std::size_t largest_allocation = 0;
  std::vector<CUstream> streams_destroyed;
  std::vector<int> profiler_calls;                      // how many kernels had been launched at each start and stop
  std::vector<std::string>* kernels = nullptr;          // where to name those that are launched
  std::function<void(const FakeActivity&)> watch = {};  // called before anything is done
  std::vector<std::pair<std::string, nanoseconds>> graph = {};  // what was captured last
  int graphs_destroyed = 0, kernel_launches = 0, captures_ended = 0, contexts_released = 0, synchronized = 0,
      blocking_waits = 0, timed_events = 0;  // recorded, of those that have a time
};

FakeCuda& fake_cuda();
cuda::Driver fake_driver();  // resets the state

}  // namespace strobe::testing
