// SPDX-License-Identifier: Apache-2.0
#include "device/locked_clocks.h"

#include <utility>

#include <strobe/error.h>

#include "device/cuda/driver.h"
#include "device/cuda/nvml.h"
#include "device/cuda/select.h"
#include "device/open_device.h"

namespace strobe {
namespace {

constexpr const char* kCannot = "cannot lock the clock";

// "GPU-5fd1e10a-…": NVML knows it by that name, and the driver need not be asked.
bool is_whole_uuid(const std::string& name) {
  constexpr std::size_t kLetters = 40;
  return name.starts_with("GPU-") && name.size() == kLetters;
}

std::shared_ptr<cuda::Board> board_of(const std::string& device) {
  const DeviceName name = parse_device(device);
  if (name.kind != DeviceName::cuda && name.kind != DeviceName::automatic)
    throw Error(ErrorCode::unsupported, kCannot, "it is that of an NVIDIA GPU, and this is another device",
                "Leave --lock-clocks out, or name a GPU: --device cuda.");
  std::string uuid = name.rest, bus, why_not;
  if (!is_whole_uuid(uuid)) {
    const cuda::Driver driver = cuda::load_driver();
    const cuda::Gpu gpu = cuda::choose_gpu(cuda::list_gpus(driver), uuid.empty() ? "0" : uuid);
    uuid = gpu.uuid;
    bus = gpu.pci_bus_id;
  }
  auto board = cuda::Board::open(uuid, bus, why_not);
  if (!board) throw Error(ErrorCode::unsupported, kCannot, why_not);
  return board;
}

}  // namespace

LockedClocks::LockedClocks(const std::string& device, unsigned mhz) : LockedClocks(board_of(device), mhz) {}

LockedClocks::LockedClocks(std::shared_ptr<cuda::Board> board, unsigned mhz) : board_(std::move(board)) {
  board_->lock_clocks(mhz);
}

LockedClocks::~LockedClocks() {
  board_->reset_clocks();
}

}  // namespace strobe
