// SPDX-License-Identifier: Apache-2.0
// Memory on the host for the copies of one input set's tensors, and the copies. Only for devices with memory of their
// own. The memory is allocated when a copy first needs it.
#pragma once

#include <span>
#include <vector>

#include "device/buffer.h"
#include "workload/tensor/output_check.h"

namespace strobe {

class HostTwins {
 public:
  // Enqueue a copy and give the bytes that move. What goes in is what was on the device when its twin was made.
  std::size_t copy_in(std::span<const std::span<std::byte>> inputs, Stream& on, HostMemory);
  std::size_t copy_out(std::span<const OutputView> outputs, Stream& on, HostMemory);

 private:
  struct Buffers {
    std::vector<Buffer> inputs, outputs;
  };
  Buffers& of(HostMemory memory) { return memory == HostMemory::pinned ? pinned_ : pageable_; }

  Buffers pinned_, pageable_;
};

}  // namespace strobe
