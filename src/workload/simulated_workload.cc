// SPDX-License-Identifier: Apache-2.0
#include "workload/simulated_workload.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"

namespace strobe {

class SimulatedWorkload::Profile final : public Profiled {
 public:
  explicit Profile(SimulatedWorkload& profiled) : profiled_(profiled) { profiled_.profile_ = this; }
  ~Profile() override { profiled_.profile_ = nullptr; }
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  Workload& workload() override { return profiled_; }
  std::vector<ProfiledRequest> take() override { return std::exchange(requests_, {}); }
  std::string about() const override { return "the simulation itself, to the nanosecond"; }

  void begin_request(nanoseconds now) {
    requests_.emplace_back();
    zero_ = now;
  }
  void add(std::size_t run, const KernelRun& kernels, nanoseconds begin, nanoseconds end) {
    requests_.back().layers.push_back({.name = fmt::format("layer {}", run + 1),
                                       .type = fmt::format("{} × {}", kernels.count, format_time(kernels.length)),
                                       .where = "simulated",
                                       .begin = begin - zero_,
                                       .end = end - zero_});
  }

 private:
  SimulatedWorkload& profiled_;
  std::vector<ProfiledRequest> requests_;
  nanoseconds zero_{};
};

SimulatedWorkload::SimulatedWorkload(SimulatedDevice& device, bool graph, StreamLevel level, std::size_t input_sets)
    : device_(device),
      stream_(device, level),
      other_(device),
      disturbance_(device.parameters()),
      input_sets_(input_sets),
      graph_(graph) {
  for (const KernelRun& run : device.parameters().kernels) kernels_.insert(kernels_.end(), run.count, run.length);
  scaled_.resize(kernels_.size());
  first_input_ = device.input_cache().make(input_sets);
  keep(device.parameters().memory.weights, "weights");
}

SimulatedWorkload::SimulatedWorkload(const SimulatedWorkload& eager, bool graph)
    : device_(eager.device_),
      stream_(device_),
      other_(device_),
      disturbance_(device_.parameters()),
      kernels_(eager.kernels_),
      scaled_(eager.scaled_),
      input_sets_(eager.input_sets_),
      first_input_(eager.first_input_),
      graph_(graph) {
  keep(device_.parameters().memory.graph, "graph");
}

void SimulatedWorkload::keep(Bytes bytes, const char* cause) {
  SimulatedMemory& memory = device_.simulated_memory();
  const std::uint64_t block = memory.allocate(bytes, cause);
  if (block > 0) kept_.emplace_back(nullptr, [&memory, block](void*) { memory.give_back(block); });
}

void SimulatedWorkload::take_at_first() {
  const SimMemory& m = device_.parameters().memory;
  SimulatedMemory& memory = device_.simulated_memory();
  memory.take_for_driver(m.driver);
  keep(m.workspace, "workspace");
  memory.give_back(memory.allocate(m.fragments, "fragments"));
}

AllocatorReading SimulatedWorkload::allocator() {
  const SimulatedMemory& memory = device_.simulated_memory();
  if (!memory.counted()) return {std::nullopt, "this simulated device has no memory that is counted (memory=1GiB)"};
  return {memory.allocator(), {}};
}

Allocations SimulatedWorkload::allocations() {
  const SimulatedMemory& memory = device_.simulated_memory();
  if (!memory.counted()) return {{}, {}, "this simulated device has no memory that is counted (memory=1GiB)"};
  return {memory.events(), "the simulation itself, to the byte", {}};
}

std::optional<std::uint64_t> SimulatedWorkload::input_bytes() const {
  const std::uint64_t one = device_.parameters().input.count;
  return one > 0 ? std::optional(one * input_sets_) : std::nullopt;
}

bool SimulatedWorkload::read_input(std::size_t request) {
  if (device_.parameters().input.count == 0) return true;
  return device_.input_cache().read(first_input_ + request % input_sets_);
}

// The first kernel reads the input, and waits for it where it is not in the cache.
void SimulatedWorkload::set_kernel_times(std::size_t request, double factor) {
  for (std::size_t i = 0; i < kernels_.size(); ++i) scaled_[i] = scale(kernels_[i], factor);
  if (!read_input(request) && !scaled_.empty()) scaled_[0] += scale(device_.parameters().miss, factor);
}

void SimulatedWorkload::submit(std::size_t request) {
  const SimParameters& p = device_.parameters();
  if (profile_) profile_->begin_request(device_.clock().now());
  const auto [host, work] = disturbance_.next(device_.clock().now());
  if (std::exchange(first_, false)) {
    device_.virtual_clock().advance(p.first);
    if (!graph_) take_at_first();
  }
  device_.simulated_memory().allocate(p.memory.grow, "leak");  // for good, as a leak is
  const nanoseconds launch = scale(p.kernel_launch, host);
  if (p.escape > 0ns) other_.launch_kernel(launch, scale(p.escape, work));
  if (p.leak > 0ns) other_.launch_kernel(launch, scale(p.leak, work));
  set_kernel_times(request, work);
  if (graph_) {
    stream_.launch_graph(launch, scaled_);
    return;
  }
  launch_layers(launch);
  if (p.leak > 0ns) stream_.after(other_, other_.mark());
}

void SimulatedWorkload::launch_layers(nanoseconds each) {
  const SimParameters& p = device_.parameters();
  std::size_t i = 0;
  std::uint64_t before = 0;
  for (std::size_t run = 0; run < p.kernels.size(); ++run) {
    const nanoseconds begin = device_.clock().now();
    before = take_activations(run, before);
    for (const std::size_t end = i + p.kernels[run].count; i < end; ++i) {
      if (p.hidden_sync && i == scaled_.size() / 2) stream_.synchronize();
      stream_.launch_kernel(each, scaled_[i], run);
    }
    if (profile_) profile_->add(run, p.kernels[run], begin, device_.clock().now());
  }
  device_.simulated_memory().give_back(before);
}

// A layer reads what the one before it wrote, so there are two of them at a time.
std::uint64_t SimulatedWorkload::take_activations(std::size_t run, std::uint64_t before) {
  SimulatedMemory& memory = device_.simulated_memory();
  if (!memory.counted()) return 0;
  const auto block =
      memory.allocate(device_.parameters().memory.activations, "activations", fmt::format("layer {}", run + 1));
  memory.give_back(before);
  return block;
}

Profiling SimulatedWorkload::profile() {
  if (graph_) return {nullptr, "a graph has no layers that a host could see"};
  return {std::make_unique<Profile>(*this), {}};
}

// What was copied to the device a moment ago is in its cache.
std::size_t SimulatedWorkload::copy_in(std::size_t request, Stream& on, HostMemory memory) {
  const std::size_t bytes = copy(on, device_.parameters().copy_in, memory);
  if (bytes > 0) read_input(request);
  return bytes;
}

// A byte takes a nanosecond, from pinned memory and from pageable; but the host waits for the latter.
std::size_t SimulatedWorkload::copy(Stream& on, nanoseconds t, HostMemory memory) {
  if (t == 0ns) return 0;
  dynamic_cast<SimulatedStream&>(on).transfer(t);
  if (memory == HostMemory::pageable) on.synchronize();
  return static_cast<std::size_t>(t.count());
}

Replay SimulatedWorkload::replay() {
  if (device_.parameters().hidden_sync) return {nullptr, "the workload synchronises, which a capture does not allow"};
  if (device_.parameters().leak > 0ns)
    return {nullptr, "a stream of the workload does not wait for the captured one, which a capture does not allow"};
  return {std::unique_ptr<Workload>(new SimulatedWorkload(*this, true)), {}};
}

}  // namespace strobe
