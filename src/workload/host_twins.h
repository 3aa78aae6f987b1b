// Memory on the host for the copies of one input set's tensors, made when copies are first asked for.
#pragma once

#include <vector>

#include "device/buffer.h"

namespace strobe {

struct TensorBuffers {
  std::vector<Buffer> inputs, outputs;
};

struct HostTwins {
  TensorBuffers pinned, pageable;
  TensorBuffers& of(HostMemory memory) { return memory == HostMemory::pinned ? pinned : pageable; }
};

}  // namespace strobe
