// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/spin_kernel.h"

#include <strobe/error.h>

#include "device/cuda/graph.h"

namespace strobe::cuda {

SpinKernel::SpinKernel(CudaDevice& device)
    : device_(device),
      stream_(device.stream()),
      beside_(device.stream()),
      native_(static_cast<CUstream>(stream_->native())),
      truth_(device.buffer(sizeof(Truth), Place::device)),
      seen_(device.buffer(sizeof(Truth), Place::pinned)) {}

void SpinKernel::launch(nanoseconds length) {
  device_.kernels().spin(native_, length, reinterpret_cast<CUdeviceptr>(truth_.bytes().data()));
}

// Launched once: the first launch of a graph carries it to the device.
std::function<void()> SpinKernel::captured(nanoseconds length) {
  std::string why_not;
  const auto graph = std::make_shared<Graph>(capture(device_.driver(), native_, [&] { launch(length); }, why_not));
  if (!*graph) throw Error(ErrorCode::failed, "cannot test graphs", why_not);
  graph->launch(native_);
  stream_->synchronize();
  return [graph, native = native_] { graph->launch(native); };
}

// It stores into the device's own memory: a kernel that wrote to the host's would have to wait for the bus before it is
// over. It is fetched on another stream, because the first mark behind a copy is made where copies are, microseconds
// away from the kernel that follows.
double SpinKernel::truth() {
  beside_->copy(seen_.bytes(), truth_.bytes());
  beside_->synchronize();
  const auto* t = reinterpret_cast<const volatile Truth*>(seen_.bytes().data());
  return static_cast<double>(t->end - t->begin);
}

}  // namespace strobe::cuda
