// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/select.h"

#include <array>

#include <fmt/format.h>

#include "base/parse.h"

namespace strobe::cuda {
namespace {

std::string uuid_text(const CUuuid& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

}  // namespace

std::vector<Gpu> list_gpus(const Driver& driver) {
  int count = 0;
  check(driver, driver.device_get_count(&count), "cannot count the GPUs");
  std::vector<Gpu> gpus;
  for (int i = 0; i < count; ++i) {
    Gpu g;
    g.index = i;
    check(driver, driver.device_get(&g.device, i), "cannot open a GPU");
    std::array<char, 256> text{};
    check(driver, driver.device_get_name(text.data(), text.size(), g.device), "cannot read a GPU's name");
    g.name = text.data();
    if (driver.device_get_pci_bus_id(text.data(), text.size(), g.device) == CUDA_SUCCESS) g.pci_bus_id = text.data();
    CUuuid uuid{};
    if (driver.device_get_uuid(&uuid, g.device) == CUDA_SUCCESS) g.uuid = uuid_text(uuid);
    gpus.push_back(std::move(g));
  }
  return gpus;
}

Gpu choose_gpu(const std::vector<Gpu>& gpus, std::string_view wanted) {
  const bool by_uuid = wanted.starts_with("GPU-") || wanted.starts_with("MIG-");
  std::vector<std::string> names;
  for (const Gpu& g : gpus) {
    if (by_uuid ? g.uuid.substr(4).starts_with(wanted.substr(4)) && wanted.size() > 4
                : std::to_string(g.index) == wanted)
      return g;
    names.push_back(fmt::format("cuda:{} ({}, {})", g.index, g.name, g.uuid));
  }
  throw Error(ErrorCode::not_found, fmt::format("cannot open device 'cuda:{}'", wanted.substr(0, 60)),
              "there is no such GPU", fmt::format("There are {}.", fmt::join(names, ", ")));
}

}  // namespace strobe::cuda
