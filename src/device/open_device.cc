// SPDX-License-Identifier: Apache-2.0
#include "device/open_device.h"

#include <fmt/format.h>

#include <strobe/error.h>

#include "device/cuda/cuda_device.h"
#include "device/cuda/launch_queues.h"
#include "device/inline_device.h"
#include "device/simulated/simulated_device.h"

namespace strobe {
namespace {

// No driver, no GPU, or one that cannot be used: nothing to tell somebody who did not ask for one.
std::shared_ptr<Device> open_gpu_if_any(bool traced) {
  try {
    return std::make_shared<cuda::CudaDevice>("0", traced);
  } catch (const Error&) {
    return nullptr;
  }
}

std::optional<DeviceName> known_name(std::string_view text) {
  if (text == "auto") return DeviceName{DeviceName::automatic, {}};
  if (text == "cpu") return DeviceName{DeviceName::cpu, {}};
  if (text.starts_with("sim:")) return DeviceName{DeviceName::simulated, std::string(text.substr(4))};
  if (text == "cuda") return DeviceName{DeviceName::cuda, "0"};
  if (text.starts_with("cuda:")) return DeviceName{DeviceName::cuda, std::string(text.substr(5))};
  return std::nullopt;
}

}  // namespace

bool is_device(std::string_view text) {
  return known_name(text).has_value();
}

DeviceName parse_device(std::string_view text) {
  if (auto name = known_name(text)) return *std::move(name);
  throw Error(ErrorCode::usage, fmt::format("unknown device '{}'", text.substr(0, 40)), {},
              "Take auto, cpu, cuda or cuda:N.");
}

std::shared_ptr<Device> open_device(std::string_view text) {
  return open_device(text, false);
}

std::shared_ptr<Device> open_device(std::string_view text, bool traced) {
  const DeviceName name = parse_device(text);
  switch (name.kind) {
    case DeviceName::automatic:
      if (auto gpu = open_gpu_if_any(traced)) return gpu;
      return std::make_shared<InlineDevice>();
    case DeviceName::cpu:
      return std::make_shared<InlineDevice>();
    case DeviceName::simulated:
      return std::make_shared<SimulatedDevice>(parse_sim(name.rest));
    case DeviceName::cuda:
      break;
  }
  return std::make_shared<cuda::CudaDevice>(name.rest, traced);
}

std::vector<std::string> gpu_names() {
  const cuda::Driver driver = cuda::load_driver();
  std::vector<std::string> names;
  for (const cuda::Gpu& g : cuda::list_gpus(driver)) names.push_back(fmt::format("cuda:{}", g.index));
  return names;
}

std::unique_ptr<Stream> open_stream(Device& device) {
  return device.stream();
}
std::unique_ptr<Stream> adopt_stream(Device& device, void* native) {
  return device.adopt(native);
}

void prepare_process_for_devices() {
  cuda::deepen_launch_queues();
}

}  // namespace strobe
