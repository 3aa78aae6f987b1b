// SPDX-License-Identifier: Apache-2.0
// What a profiler that watches from outside is to see, where it waits to be told (nsys --capture-range=cudaProfilerApi,
// ncu --profile-from-start off): from here to its end, also where it ends by an exception.
#pragma once

#include "device/device.h"

namespace strobe {

class ProfilerWindow {
 public:
  explicit ProfilerWindow(Device& device) : device_(device) { device_.profiler_starts(); }
  ~ProfilerWindow() { device_.profiler_stops(); }
  ProfilerWindow(const ProfilerWindow&) = delete;
  ProfilerWindow& operator=(const ProfilerWindow&) = delete;

 private:
  Device& device_;
};

}  // namespace strobe
