// SPDX-License-Identifier: Apache-2.0
#include "workload/cuda_builtin.h"

namespace strobe {
namespace {

CUstream native(Stream& stream) {
  return static_cast<CUstream>(stream.native());
}

// The captured work on a stream of its own.
class Replayed final : public Workload {
 public:
  Replayed(std::unique_ptr<Stream> stream, cuda::Graph graph) : stream_(std::move(stream)), graph_(std::move(graph)) {}
  void submit(std::size_t) override { graph_.launch(native(*stream_)); }
  Stream& stream() override { return *stream_; }

 private:
  std::unique_ptr<Stream> stream_;
  cuda::Graph graph_;
};

}  // namespace

CudaSpins::CudaSpins(cuda::CudaDevice& device, std::vector<nanoseconds> lengths, void* stream)
    : device_(device), stream_(stream ? device.adopt(stream) : device.stream()), lengths_(std::move(lengths)) {}

void CudaSpins::submit(std::size_t) {
  for (const nanoseconds length : lengths_) {
    if (length > 0ns)
      device_.kernels().spin(native(*stream_), length, 0);
    else
      device_.kernels().empty(native(*stream_));
  }
}

Replay CudaSpins::replay() {
  std::string why_not;
  cuda::Graph graph = cuda::capture(device_.driver(), native(*stream_), [&] { submit(0); }, why_not);
  if (!graph) return {nullptr, why_not};
  return {std::make_unique<Replayed>(device_.stream(), std::move(graph)), {}};
}

}  // namespace strobe
