// SPDX-License-Identifier: Apache-2.0
// From a device's name to the device.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"

namespace strobe {

// What --device may be. `automatic` picks the best device that works here; the head line says so.
struct DeviceName {
  enum Kind { automatic, cpu, cuda, simulated } kind = automatic;
  std::string rest;  // simulated: its settings; cuda: index or UUID
};
DeviceName parse_device(std::string_view text);
bool is_device(std::string_view text);  // whether it is one of these names

// As open_device; `traced`: what it will do is to be recorded, which a GPU must know before anything uses it.
std::shared_ptr<Device> open_device(std::string_view name, bool traced);

// "cuda:0" and so on. Throws Error where CUDA cannot be used.
std::vector<std::string> gpu_names();

// For a program of our own, before it opens a device: what drivers read from the environment when they start. A
// library must not change its user's.
void prepare_process_for_devices();

}  // namespace strobe
