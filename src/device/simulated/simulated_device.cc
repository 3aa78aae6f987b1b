// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/simulated_device.h"

#include <algorithm>
#include <cmath>
#include <new>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/random.h"
#include "device/host_lock.h"
#include "device/simulated/disturbance.h"

namespace strobe {

namespace {

constexpr std::size_t kProbedStreams = 20;
constexpr std::uint64_t kOfStreams = 3;  // random numbers beside those of a launch and a load (disturbance.cc)

// Where there are two levels, every process has streams of both.
StreamLevels levels_of(const SimParameters& p) {
  if (p.pause == 0ns || p.slow_stream_share <= 0) return {};
  const auto all = static_cast<double>(kProbedStreams);
  const double slow = std::clamp(std::round(all * p.slow_stream_share), 1.0, all - 1);
  std::vector<double> pauses(kProbedStreams, to_double(p.pause));
  std::fill_n(pauses.begin(), static_cast<std::size_t>(slow), to_double(scale(p.pause, p.slow_stream_factor)));
  return stream_levels_of(std::move(pauses));
}

// Read by whichever host asks: it takes that one's time.
class SimulatedEnergy final : public EnergyCounter {
 public:
  explicit SimulatedEnergy(SimulatedDevice& device) : device_(device) {}
  std::string source() const override { return "the simulation"; }
  std::string scope() const override { return "the whole simulated device"; }
  double joules() override {
    device_.virtual_clock().advance(device_.parameters().energy_read);
    return device_.energy_model().joules(device_.clock().now());
  }

 private:
  SimulatedDevice& device_;
};

}  // namespace

// ---- device ---------------------------------------------------------------------------------------------------------

SimulatedDevice::SimulatedDevice(SimParameters p)
    : p_(std::move(p)),
      stream_levels_(levels_of(p_)),
      input_cache_(p_.cached_sets()),
      energy_(p_),
      memory_(p_.memory, clock_),
      free_at_(p_.at_once) {}

nanoseconds SimulatedDevice::pause_of(StreamLevel level) const {
  Random random(seed_of(seed_of(p_.seed.value_or(1), p_.launch), kOfStreams));
  const bool slow = level == StreamLevel::any ? random.uniform() < p_.slow_stream_share : level == StreamLevel::slow;
  return slow ? scale(p_.pause, p_.slow_stream_factor) : p_.pause;
}

std::unique_ptr<Stream> SimulatedDevice::stream_at(StreamLevel level) {
  if (level != StreamLevel::any && !stream_levels_.border_ns) return nullptr;
  return std::make_unique<SimulatedStream>(*this, level);
}

std::optional<double> SimulatedDevice::kernel_pause(Stream& stream) {
  const nanoseconds pause = static_cast<SimulatedStream&>(stream).pause();
  return pause > 0ns ? std::optional(to_double(pause)) : std::nullopt;
}

Capabilities SimulatedDevice::can() const {
  const bool cache = p_.cache.count > 0 || p_.flush > 0ns;
  return {.asynchronous = {}, .gate = {}, .flush = {cache ? "" : "this simulated device has no cache"}};
}

DeviceInfo SimulatedDevice::info() const {
  DeviceInfo info{.kind = "simulated",
                  .name = p_.name,
                  .asynchronous = true,
                  .facts = {{"seed", static_cast<std::int64_t>(p_.seed.value_or(1))}},
                  .calibration = {}};
  if (memory_.counted()) info.facts["memory_bytes"] = static_cast<std::int64_t>(p_.memory.total.count);
  if (p_.cache.count > 0) info.facts["cache_bytes"] = static_cast<std::int64_t>(p_.cache.count);
  return info;
}

std::unique_ptr<Stream> SimulatedDevice::stream() {
  return std::make_unique<SimulatedStream>(*this);
}

std::unique_ptr<Stream> SimulatedDevice::adopt(void*) {
  throw Error(ErrorCode::unsupported, "cannot adopt a stream on the simulated device",
              "its streams exist only in the simulation");
}

void SimulatedDevice::flush_cache(Stream& stream) {
  if (const Capability flush = can().flush; !flush)
    throw Error(ErrorCode::unsupported, "cannot flush the cache", flush.why_not,
                "Add cache=40MB,input=600kB,miss=30us to it, for example.");
  if (p_.flush > 0ns) static_cast<SimulatedStream&>(stream).launch_kernel(p_.kernel_launch, p_.flush);
  input_cache_.flush();
}

Buffer SimulatedDevice::buffer(std::size_t bytes, Place) {
  auto* p = new std::byte[bytes];
  return Buffer({p, bytes}, [](std::byte* q) { delete[] q; });
}

Gate SimulatedDevice::hold(Stream& stream, const GateOptions&) {
  // Gates are opened in the order they are made; open ones at the front are history.
  while (gates_.size() > 64 && gates_.front().open) {
    gates_.pop_front();
    ++first_gate_;
  }
  const std::uint32_t ticket = first_gate_ + static_cast<std::uint32_t>(gates_.size());
  gates_.push_back({});
  static_cast<SimulatedStream&>(stream).queue({SimulatedStream::Op::Kind::gate, {}, ticket, nullptr, 0, clock_.now()});
  return Gate(*this, ticket);
}

void SimulatedDevice::open(std::uint32_t ticket) noexcept {
  if (ticket < first_gate_) return;
  GateState& g = gates_[ticket - first_gate_];
  if (g.open) return;
  g.open = true;
  g.opened_at = clock_.now();
  settle();
}

bool SimulatedDevice::tripped(std::uint32_t ticket) const noexcept {
  return ticket >= first_gate_ && gates_[ticket - first_gate_].tripped;
}

void SimulatedDevice::trip() {
  for (GateState& g : gates_) {
    if (g.open) continue;
    g.open = g.tripped = true;
    g.opened_at = clock_.now();
  }
  settle();
}

void SimulatedDevice::settle() {
  for (bool again = true; again;) {
    again = false;
    for (SimulatedStream* s : streams_) again = s->advance() || again;
  }
}

template <class Done>
void SimulatedDevice::wait_until(Done done) {
  const nanoseconds begin = clock_.now();
  while (!done()) {
    if (clock_.wait_for_others() && clock_.now() - begin < kLongestPatience) continue;
    return trip();
  }
}

nanoseconds SimulatedDevice::awake(nanoseconds ready) const {
  const bool sleeps = p_.sleep_after > 0ns && ready - busy_until_ >= p_.sleep_after;
  return sleeps ? ready + p_.wake : ready;
}

// It has no clock that could be named.
PowerState SimulatedDevice::power_state() {
  if (p_.sleep_after == 0ns) return {};
  constexpr int kHighest = 0, kAsleep = 8;  // as an NVIDIA GPU calls them
  return {.level = clock_.now() - busy_until_ >= p_.sleep_after ? kAsleep : kHighest};
}

EnergySource SimulatedDevice::energy() {
  if (!energy_.counts()) return {nullptr, "this simulated device takes no energy: give it idle_power and active_power"};
  return {std::make_unique<SimulatedEnergy>(*this)};
}

Tracing SimulatedDevice::tracer() {
  if (tracer_) return {nullptr, "it is traced already"};
  return {std::make_unique<SimulatedTracer>(tracer_), {}};
}

// Hosts hand kernels over in the order of time, so whoever comes first is served first.
nanoseconds SimulatedDevice::run_kernel(nanoseconds ready, nanoseconds length) {
  if (free_at_.empty()) return ready + length;
  nanoseconds& place = *std::min_element(free_at_.begin(), free_at_.end());
  place = std::max(place, ready) + length;
  return place;
}

void SimulatedDevice::synchronize() {
  give_host_lock();
  const nanoseconds begin = clock_.now();
  nanoseconds done{};
  for (SimulatedStream* s : std::vector(streams_)) {  // meanwhile other hosts may make streams
    wait_until([&] { return s->pending_.empty(); });
    done = std::max(done, s->free_at_);
  }
  clock_.advance_to(done);
  clock_.advance(p_.sync);
  if (tracer_) tracer_->add(trace::HostCall::Kind::wait, {begin, clock_.now()});
}

// ---- stream ---------------------------------------------------------------------------------------------------------

SimulatedStream::SimulatedStream(SimulatedDevice& device, StreamLevel level)
    : device_(device), pause_(device.pause_of(level)) {
  device_.streams_.push_back(this);
}

SimulatedStream::~SimulatedStream() {
  std::erase(device_.streams_, this);
}

Mark SimulatedStream::record(Ring& ring, std::uint32_t kind) {
  device_.clock_.advance(device_.p_.mark);
  const Mark m{ring.next | kind};
  ring.next = ring.next + 1 == ring.slots.size() ? 0 : ring.next + 1;
  slot(m.slot) = {.stamped = {}, .recorded = true, .reached = false};
  queue({Op::Kind::mark, device_.p_.mark_gpu, m.slot, nullptr, 0, device_.clock_.now()});
  return m;
}

void SimulatedStream::launch_kernel(nanoseconds host_cost, nanoseconds work, std::size_t kind) {
  const nanoseconds begin = device_.clock_.now();
  device_.clock_.advance(host_cost);
  wait_for_room();
  Op op{Op::Kind::kernel, work + pause_, 0, nullptr, 0, device_.clock_.now()};
  op.submitted = begin;
  op.pause = pause_;
  op.kernel_kind = kind;
  queue(op);
}

void SimulatedStream::launch_graph(nanoseconds host_cost, std::span<const nanoseconds> kernels) {
  device_.clock_.advance(host_cost);
  wait_for_room();
  for (const nanoseconds& k : kernels)
    queue({Op::Kind::kernel, k, 0, nullptr, 0, device_.clock_.now(), &k == &kernels.back()});
}

// The launch that is `queue` before the next one must be done, not only begun: until then it keeps its place.
void SimulatedStream::wait_for_room() {
  const std::size_t room = device_.p_.queue, number = launched_++;
  if (room == 0 || number < room) return;
  device_.wait_until([&] { return ran_ > number - room; });
  if (ran_ > number - room) device_.clock_.advance_to(done_[done_.size() - (ran_ - (number - room))]);
}

void SimulatedStream::copy(std::span<std::byte> to, std::span<const std::byte> from) {
  std::copy(from.begin(), from.end(), to.begin());
  queue({Op::Kind::copy, device_.p_.copy_in, 0, nullptr, 0, device_.clock_.now()});
}

void SimulatedStream::after(const Stream& other, Mark mark) {
  queue({Op::Kind::wait_for, {}, 0, static_cast<const SimulatedStream*>(&other), mark.slot, device_.clock_.now()});
}

void SimulatedStream::wait(Mark m) {
  give_host_lock();
  const nanoseconds begin = device_.clock_.now();
  if (!slot(m.slot).recorded) throw Error(ErrorCode::usage, "cannot wait for a mark", "it was never recorded");
  device_.wait_until([&] { return slot(m.slot).reached; });
  device_.clock_.advance_to(slot(m.slot).stamped);
  device_.clock_.advance(device_.p_.sync);
  waited(begin);
}

bool SimulatedStream::reached(Mark m) {
  const Slot& seen = slot(m.slot);
  if (!seen.recorded) throw Error(ErrorCode::usage, "cannot look for a mark", "it was never recorded");
  return seen.reached && seen.stamped <= device_.clock_.now();
}

void SimulatedStream::synchronize() {
  give_host_lock();
  const nanoseconds begin = device_.clock_.now();
  device_.wait_until([&] { return pending_.empty(); });
  device_.clock_.advance_to(free_at_);
  device_.clock_.advance(device_.p_.sync);
  waited(begin);
}

void SimulatedStream::waited(nanoseconds begin) const {
  if (device_.tracer_) device_.tracer_->add(trace::HostCall::Kind::wait, {begin, device_.clock_.now()});
}

void SimulatedStream::ran(const Op& op, nanoseconds begin, nanoseconds end) const {
  if (!device_.tracer_) return;
  const bool kernel = op.kind == Op::Kind::kernel;
  device_.tracer_->add(kernel ? trace::DeviceWork::Kind::kernel : trace::DeviceWork::Kind::copy,
                       kernel ? fmt::format("kernel {}", op.kernel_kind + 1) : "copy",
                       {op.submitted.value_or(op.queued_at), op.queued_at}, {begin, end});
}

nanoseconds SimulatedStream::between(Mark first, Mark second) {
  const nanoseconds tick = device_.p_.tick;
  const auto stamp = [&](Mark m) {
    const Slot& s = slot(m.slot);
    if (!s.reached || s.stamped > device_.clock_.now()) {
      throw Error(ErrorCode::invalid_method, "cannot read a mark", "the device has not reached it yet",
                  "Wait for it first, or read all marks at the end.");
    }
    return s.stamped / tick * tick;
  };
  return stamp(second) - stamp(first);
}

void SimulatedStream::queue(Op op) {
  pending_.push_back(op);
  if (advance()) device_.settle();
}

bool SimulatedStream::run(const Op& op) {
  if (op.kind == Op::Kind::gate) {
    const auto& g = device_.gates_[op.slot - device_.first_gate_];
    if (!g.open) return false;
    free_at_ = std::max({free_at_, op.queued_at, g.opened_at});
    return true;
  }
  if (op.kind == Op::Kind::wait_for) {
    const Slot& s = op.other->slot(op.other_mark);
    if (!s.reached) return false;
    free_at_ = std::max({free_at_, op.queued_at, s.stamped});
    return true;
  }
  const nanoseconds ready = std::max(free_at_, op.queued_at);
  if (op.kind == Op::Kind::mark) {
    free_at_ = ready + op.length;
    slot(op.slot).stamped = free_at_;
    slot(op.slot).reached = true;
    return true;
  }
  const nanoseconds begin = device_.awake(ready);
  free_at_ = op.kind == Op::Kind::kernel ? device_.run_kernel(begin, op.length) : begin + op.length;
  device_.busy_until_ = std::max(device_.busy_until_, free_at_);
  if (op.kind == Op::Kind::kernel)
    device_.energy_.add_work(free_at_ - op.length, free_at_ - op.pause, device_.clock_.now());
  ran(op, free_at_ - op.length, free_at_ - op.pause);
  if (op.kind == Op::Kind::kernel && op.ends_launch && device_.p_.queue > 0) {
    ++ran_;
    done_.push_back(free_at_);
    if (done_.size() > device_.p_.queue) done_.pop_front();
  }
  return true;
}

bool SimulatedStream::advance() {
  bool any = false;
  while (!pending_.empty() && run(pending_.front())) {
    pending_.pop_front();
    any = true;
  }
  return any;
}

}  // namespace strobe
