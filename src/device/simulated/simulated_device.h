// SPDX-License-Identifier: Apache-2.0
// A device that knows the truth: a discrete-event model in whole nanoseconds on a virtual clock. Host calls advance the
// clock by their cost; work runs on its stream in order, as soon as it is queued and the stream is free.
//   - a mark on an idle stream is stamped when it is recorded; behind work, when that work is done;
//   - a closed gate holds everything queued after it; nothing before it;
//   - a graph is launched at the cost of one kernel;
//   - where a queue has room for `queue` launches, the host waits in the next one until the first of these is done;
//   - after a kernel that the host launched a stream pauses; streams may have two levels of that, and which level those
//     that a process gets without choosing have is drawn once a process;
//   - waiting for work behind a closed gate that nobody else can open would hang a real machine, and so would a launch
//     for which a held queue has no room: here the watchdog opens the gate at once and the gate says that it tripped;
//   - a device that has had no kernel and no copy for `sleep_after` needs `wake` before it begins the next; marks and
//     gates do not wake it;
//   - kernels of different streams run beside each other, or as many at once as `at_once` says, in the order in which
//     they were handed over; copies never wait for kernels of other streams;
//   - each kernel that runs takes power beside what the device always takes; a counter shows the sum in steps, and
//     reading it takes its time of the host that reads;
//   - a cache keeps the inputs of requests, by the order in which they are handed over; flushing it takes no time.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "device/device.h"
#include "device/simulated/energy_model.h"
#include "device/simulated/input_cache.h"
#include "device/simulated/parameters.h"
#include "device/simulated/simulated_memory.h"
#include "device/simulated/simulated_tracer.h"
#include "device/simulated/virtual_clock.h"

namespace strobe {

class SimulatedStream;

class SimulatedDevice final : public Device, private GateKeeper {
 public:
  explicit SimulatedDevice(SimParameters);

  Clock& clock() override { return clock_; }
  Capabilities can() const override;
  DeviceInfo info() const override;
  std::unique_ptr<Stream> stream() override;
  std::unique_ptr<Stream> stream_at(StreamLevel) override;
  const StreamLevels& stream_levels() override { return stream_levels_; }
  std::optional<double> kernel_pause(Stream&) override;
  std::unique_ptr<Stream> adopt(void* native) override;
  Gate hold(Stream&, const GateOptions&) override;
  void synchronize() override;
  void flush_cache(Stream&) override;
  Buffer buffer(std::size_t bytes, Place) override;
  nanoseconds tick() const override { return p_.tick; }
  std::unique_ptr<HostThread> host_thread() override { return clock_.host(); }
  std::optional<std::uint64_t> queue_depth() override {
    return p_.queue ? std::optional<std::uint64_t>(p_.queue) : std::nullopt;
  }
  std::optional<Bytes> last_level_cache() const override {
    return p_.cache.count > 0 ? std::optional(p_.cache) : std::nullopt;
  }

  EnergySource energy() override;
  std::optional<DeviceMemory> memory() const override {
    return memory_.counted() ? std::optional(memory_.driver()) : std::nullopt;
  }
  PowerState power_state() override;
  Tracing tracer() override;

  const SimParameters& parameters() const { return p_; }
  VirtualClock& virtual_clock() { return clock_; }
  InputCache& input_cache() { return input_cache_; }
  EnergyModel& energy_model() { return energy_; }
  SimulatedMemory& simulated_memory() { return memory_; }

 private:
  friend class SimulatedStream;
  void open(std::uint32_t ticket) noexcept override;
  bool tripped(std::uint32_t ticket) const noexcept override;
  void trip();    // what the watchdog does: opens every closed gate
  void settle();  // runs all work that nothing holds back any more
  // The host waits. What holds the work back may be another host's gate; where nobody opens it, the watchdog does.
  template <class Done>
  void wait_until(Done done);
  // Any: of the level that this process drew.
  nanoseconds pause_of(StreamLevel) const;
  // When it can begin what is ready then: later, where it sleeps.
  nanoseconds awake(nanoseconds ready) const;
  // When a kernel that could begin then is done.
  nanoseconds run_kernel(nanoseconds ready, nanoseconds length);

  SimParameters p_;
  StreamLevels stream_levels_;
  VirtualClock clock_;
  InputCache input_cache_;
  EnergyModel energy_;
  SimulatedMemory memory_;
  std::vector<nanoseconds> free_at_;   // of each place for a kernel; none: there are enough
  nanoseconds busy_until_{};           // the end of all kernels and copies so far
  SimulatedTracer* tracer_ = nullptr;  // somebody watches
  std::vector<SimulatedStream*> streams_;
  struct GateState {
    bool open = false, tripped = false;
    nanoseconds opened_at{};
  };
  std::deque<GateState> gates_;
  std::uint32_t first_gate_ = 0;  // ticket of gates_.front(): old ones are dropped
};

class SimulatedStream final : public Stream {
 public:
  explicit SimulatedStream(SimulatedDevice& device, StreamLevel = StreamLevel::any);
  ~SimulatedStream() override;

  Device& device() const override { return device_; }
  void reserve(std::size_t marks) override { marks_.make(marks); }
  Mark mark() override { return record(marks_, 0); }
  void reserve_ends(std::size_t ends) override { ends_.make(ends); }
  Mark end() override { return record(ends_, kEnd); }
  bool ends_apart() const override { return true; }
  void wait(Mark) override;
  bool reached(Mark) override;
  void after(const Stream&, Mark) override;
  void synchronize() override;
  void copy(std::span<std::byte> to, std::span<const std::byte> from) override;
  nanoseconds between(Mark first, Mark second) override;
  void* native() const override { return nullptr; }
  nanoseconds pause() const { return pause_; }

  // What only simulated work can do. Host costs are paid by the caller's clock before the work is queued. `kind`: by
  // which a tracer names it.
  void launch_kernel(nanoseconds host_cost, nanoseconds work, std::size_t kind = 0);
  void launch_graph(nanoseconds host_cost, std::span<const nanoseconds> kernels);
  void transfer(nanoseconds work) { queue({Op::Kind::copy, work, 0, nullptr, 0, device_.clock().now()}); }

 private:
  friend class SimulatedDevice;
  struct Op {
    enum class Kind { kernel, copy, mark, gate, wait_for } kind;
    nanoseconds length{};
    std::uint32_t slot = 0;                  // mark: its slot; gate: its ticket
    const SimulatedStream* other = nullptr;  // wait_for
    std::uint32_t other_mark = 0;
    nanoseconds queued_at{};
    bool ends_launch = true;  // kernel: of a graph only the last
    // For a tracer.
    std::optional<nanoseconds> submitted = {};  // when the host began to hand it over; none: when it was queued
    nanoseconds pause{};                        // at its end the device pauses, and no longer works
    std::size_t kernel_kind = 0;
  };
  struct Slot {
    nanoseconds stamped{};
    bool recorded = false, reached = false;
  };
  struct Ring {
    std::vector<Slot> slots = std::vector<Slot>(2);
    std::uint32_t next = 0;

    // One that has been larger stays so, as a real device's.
    void make(std::size_t room) {
      if (room > slots.size()) slots.resize(room);
    }
  };
  static constexpr std::uint32_t kEnd = 1U << 31;  // in a mark's slot: it is one of the ends

  Mark record(Ring&, std::uint32_t kind);
  Slot& slot(std::uint32_t s) { return s & kEnd ? ends_.slots[s & ~kEnd] : marks_.slots[s]; }
  const Slot& slot(std::uint32_t s) const { return s & kEnd ? ends_.slots[s & ~kEnd] : marks_.slots[s]; }
  void queue(Op);
  void wait_for_room();                                           // for one launch more
  void waited(nanoseconds begin) const;                           // until now: for a tracer
  void ran(const Op&, nanoseconds begin, nanoseconds end) const;  // likewise
  bool run(const Op&);                                            // false: something still holds it back
  bool advance();                                                 // runs what can run; true when anything did

  SimulatedDevice& device_;
  const nanoseconds pause_;
  Ring marks_, ends_;
  std::deque<Op> pending_;
  nanoseconds free_at_{};  // when the last piece of work that ran was done
  // Where a queue has a limit: launches so far, those that ran, and when the latest of these were done.
  std::size_t launched_ = 0, ran_ = 0;
  std::deque<nanoseconds> done_;
};

}  // namespace strobe
