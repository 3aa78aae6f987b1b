// SPDX-License-Identifier: Apache-2.0
// What Strobe measures, and the queue it runs on: write a Workload to measure something that a lambda cannot describe.
// Devices are opened by name (open_device); how they hold, flush and calibrate is not part of this header.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>

namespace strobe {

class Device;

// A time stamp in a stream: an index into the stream's ring of reserved marks.
struct Mark {
  std::uint32_t slot = 0;
};

// An ordered queue of device work. One thread uses a stream at a time.
class Stream {
 public:
  virtual ~Stream() = default;

  virtual Device& device() const = 0;
  virtual void reserve(std::size_t marks) = 0;  // this and reserve_ends are the only calls that allocate
  virtual Mark mark() = 0;                      // reuses the oldest slot when the ring is full
  // Marks that are only waited for, from a ring of their own where that is cheaper: `between` cannot read them. Where
  // they are not apart, an end is a mark and takes its slot.
  virtual void reserve_ends(std::size_t ends) { reserve(ends); }
  virtual Mark end() { return mark(); }
  virtual bool ends_apart() const { return false; }
  virtual void wait(Mark) = 0;                  // the host waits
  virtual bool reached(Mark) = 0;               // the host does not wait: has the device come to it?
  virtual void after(const Stream&, Mark) = 0;  // this queue waits, the host does not
  virtual void synchronize() = 0;
  virtual void copy(std::span<std::byte> to, std::span<const std::byte> from) = 0;
  virtual std::chrono::nanoseconds between(Mark first, Mark second) = 0;  // error if either was not reached
  virtual void* native() const = 0;                                       // CUstream, or null
};

class Workload;

// Requests that a runtime makes beside each other on threads of its own: they end in any order, so no mark can say that
// one is done. One thread starts them and waits for them.
class Overlapping {
 public:
  struct End {
    std::size_t place = 0;
    std::chrono::nanoseconds at{};  // on the device's clock
  };
  virtual ~Overlapping() = default;
  virtual std::size_t streams() const = 0;             // of the runtime, which share the device
  virtual std::size_t outstanding() const = 0;         // requests on all of them together
  virtual std::size_t places() const = 0;              // for requests, at least as many
  virtual std::size_t start(std::size_t request) = 0;  // gives its place, which is taken until its end was given
  virtual End next_end() = 0;                          // waits for whichever is done next; throws what it threw
};

// Where a caller keeps its tensors. From pinned memory a GPU copies by itself; pageable memory is copied twice by the
// driver, and the host waits.
enum class HostMemory { pinned, pageable };

// A captured graph is a workload of its own, made by whoever owns the work.
struct Replay {
  std::unique_ptr<Workload> workload;
  std::string why_not;
};

// A part of a model in one request, as the profiler of whoever runs it saw it on the host.
struct LayerCall {
  std::string name, type;                   // "conv1", "Conv"
  std::string where;                        // what ran it, as the runtime calls it; empty: it does not say
  std::chrono::nanoseconds begin{}, end{};  // from the begin of the request there
};

struct ProfiledRequest {
  std::chrono::nanoseconds length{};  // as that profiler saw it; 0: it began when it was submitted
  std::vector<LayerCall> layers;
  std::optional<std::chrono::nanoseconds> at = {};  // when it began, on the machine's monotonic clock, if that is known
};

// The same requests under a profiler, which slows them: for looking inside, not for measuring.
class Profiled {
 public:
  virtual ~Profiled() = default;
  virtual Workload& workload() = 0;
  // Ends the profiling, and gives every request that was submitted meanwhile, in order.
  virtual std::vector<ProfiledRequest> take() = 0;
  virtual std::string about() const = 0;  // whose profiler it is, and how exact: one phrase
};

struct Profiling {
  std::unique_ptr<Profiled> profiled;
  std::string why_not;
};

// Memory that was given out to whoever runs the work, or taken back.
struct AllocationEvent {
  std::chrono::nanoseconds at{};  // on the device's clock
  std::uint64_t block = 0;        // both ends of an allocation have the same
  std::int64_t bytes = 0;         // negative: taken back
  std::string cause, layer;       // what it is for; the part of the model; empty: unknown
};

// Everything that was recorded since the load began.
struct Allocations {
  std::vector<AllocationEvent> events;
  std::string recorder;  // who told, and what it does not see: one phrase
  std::string why_not;   // not empty: there are none, and this is why
};

// What an allocator has: it gives out `in_use` of what it has reserved.
struct AllocatorState {
  std::string name;
  std::uint64_t in_use = 0, reserved = 0, peak = 0;  // bytes; the most that was in use
};
struct AllocatorReading {
  std::optional<AllocatorState> state;
  std::string why_not;
};

// What the outputs of a workload look like over its input sets.
using OutputCheck = OutputObservation;
inline constexpr std::size_t kMostCheckedSets = 8;  // of a model's: more would take long and say the same

// Something that can be asked to run a request. On an inline device `submit` returns when the work is done.
class Workload {
 public:
  virtual ~Workload() = default;

  virtual void submit(std::size_t request) = 0;  // the number selects the input set
  virtual Stream& stream() = 0;
  virtual std::size_t items() const { return 1; }  // items in one request: the batch
  virtual std::size_t input_sets() const { return 1; }
  virtual std::optional<std::uint64_t> input_bytes() const { return std::nullopt; }  // of all input sets together
  // Enqueue the transfer of a request's inputs or outputs, on the workload's own stream or on one beside it, and give
  // the bytes that move; 0: there is nothing to copy.
  virtual std::size_t copy_in(std::size_t /*request*/, Stream& /*on*/, HostMemory) { return 0; }
  virtual std::size_t copy_out(std::size_t /*request*/, Stream& /*on*/, HostMemory) { return 0; }
  // How often the device was asked for memory so far; none: nobody counts.
  virtual std::optional<std::uint64_t> device_allocations() const { return std::nullopt; }
  // Kernels that one request launches, or that its graph consists of; none: nobody counted them.
  virtual std::optional<std::uint64_t> kernels() const { return std::nullopt; }
  virtual Replay replay() { return {nullptr, "this workload cannot be captured as a graph"}; }
  // Of the parts of a model; the workload outlives it.
  virtual Profiling profile() { return {nullptr, "its runtime has no profiler that Strobe could ask"}; }
  // Of its runtime. Allocations are recorded where that was asked for before the load.
  virtual AllocatorReading allocator() { return {std::nullopt, "its runtime tells nothing of an allocator"}; }
  virtual Allocations allocations() { return {{}, {}, "its runtime tells of no allocations"}; }
  // The warm-up is over: requests count from the next one on.
  virtual void counting() {}
  // What only it knows, for the record that is about to be judged: facts of the model, what calling it costs.
  virtual void complete(Record&) {}
  virtual std::optional<OutputCheck> check() { return std::nullopt; }  // none: outputs cannot be observed
  virtual void check_again(OutputCheck&) {}  // after the last request: are the outputs still those that check() saw?
  // The same requests through the runtime's own host tensors, its copies included: what most callers run. Null: none.
  virtual std::unique_ptr<Workload> through_host() { return nullptr; }
  // Null: one request at a time, or as many as the stream takes. It belongs to the workload.
  virtual Overlapping* overlapping() { return nullptr; }
};

// A model loaded by a runtime: a workload with named tensors.
class Session : public Workload {
 public:
  virtual ModelInfo info() const = 0;
  virtual std::optional<ValueShares> input_values() const { return std::nullopt; }
  // What one request consists of, from one run under the runtime's own profiler, apart from everything measured.
  virtual std::optional<WorkObservation> inspect() { return std::nullopt; }
  // Runs an input set and gives its outputs as bytes, in the order of info().outputs; empty: it cannot.
  virtual std::vector<std::vector<std::byte>> outputs(std::size_t /*set*/) { return {}; }
};

// A lock that the host's part of a request needs, such as Python's, and that is given away while the host waits for the
// device.
class HostLock {
 public:
  virtual ~HostLock() = default;
  virtual void give() = 0;  // before the host waits; it may have been given away already
  virtual void take() = 0;  // before the clock is read for a request; it may be held already
};

// While it lives, this thread's waits for a device give the lock away, and its requests take it. Afterwards it is held.
class LendWhileWaiting {
 public:
  explicit LendWhileWaiting(HostLock&);
  ~LendWhileWaiting();
  LendWhileWaiting(const LendWhileWaiting&) = delete;
  LendWhileWaiting& operator=(const LendWhileWaiting&) = delete;

 private:
  HostLock* before_;
};

// "auto" (the first GPU that can be used, else the CPU), "cpu", "cuda:0", "sim:key=value,...". The device must outlive
// its streams and workloads.
std::shared_ptr<Device> open_device(std::string_view name);
std::unique_ptr<Stream> open_stream(Device&);
std::unique_ptr<Stream> adopt_stream(Device&, void* native);

}  // namespace strobe
