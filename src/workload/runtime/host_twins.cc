// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/host_twins.h"

#include "device/device.h"

namespace strobe {

std::size_t HostTwins::copy_in(std::span<const std::span<std::byte>> inputs, Stream& on, HostMemory memory) {
  std::vector<Buffer>& hosts = of(memory).inputs;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (hosts.size() <= i) {
      hosts.push_back(on.device().buffer(inputs[i].size(), place_of(memory)));
      on.copy(hosts[i].bytes(), inputs[i]);
      on.synchronize();
    }
    on.copy(inputs[i], hosts[i].bytes());
    bytes += inputs[i].size();
  }
  return bytes;
}

// Where only the runtime knows an output's size, it may grow.
std::size_t HostTwins::copy_out(std::span<const OutputView> outputs, Stream& on, HostMemory memory) {
  std::vector<Buffer>& hosts = of(memory).outputs;
  if (hosts.size() < outputs.size()) hosts.resize(outputs.size());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::size_t size = outputs[i].bytes.size();
    if (hosts[i].bytes().size() < size) hosts[i] = on.device().buffer(size, place_of(memory));
    on.copy(hosts[i].bytes().first(size), outputs[i].bytes);
    bytes += size;
  }
  return bytes;
}

}  // namespace strobe
