// SPDX-License-Identifier: Apache-2.0
// Work that waits, on the host, for a second stream which waits for its own.
#pragma once

#include <memory>
#include <utility>

#include "device/device.h"
#include "workload/callable.h"

namespace strobe::testing {

inline std::unique_ptr<Callable> joined_work(Device& device) {
  auto own = device.stream();
  Stream& stream = *own;
  const auto join = [&stream, other = std::shared_ptr<Stream>(device.stream())] {
    other->after(stream, stream.mark());
    other->synchronize();
  };
  return std::make_unique<Callable>(join, std::move(own), 1);
}

}  // namespace strobe::testing
