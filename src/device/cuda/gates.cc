// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/gates.h"

#include <fmt/format.h>

#include "host/affinity.h"

namespace strobe::cuda {
namespace {

constexpr nanoseconds kLook = 10ms;  // how often the watchdog looks: a trip is late by at most so much
// A spinning gate ends by itself, should this process die: late enough that the watchdog has noticed before.
constexpr nanoseconds kSpinTimeout = kLongestPatience + 10s;

std::int64_t steady_now() {
  return std::chrono::steady_clock::now().time_since_epoch() / 1ns;
}

}  // namespace

std::string gate_forbidden(const GateSituation& s) {
  if (s.kernel_launches_block) return "CUDA_LAUNCH_BLOCKING is set: every kernel launch waits for its own end";
  if (!s.profiler.empty()) return fmt::format("a profiler may wait inside a launch ({})", s.profiler);
  if (!s.wait_value && s.other_processes)
    return "another process computes on this GPU, and a gate that spins would take its time";
  return {};
}

Gates::Gates(const Driver& driver, const Kernels& kernels) : driver_(driver), kernels_(kernels) {
  void* page = nullptr;
  check(driver_, driver_.mem_host_alloc(&page, 4096, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE),
        "cannot allocate the gate's word");
  word_ = static_cast<std::uint32_t*>(page);
  std::atomic_ref(*word_).store(0, std::memory_order_release);
  check(driver_, driver_.mem_host_get_device_pointer(&device_word_, page, 0), "cannot map the gate's word");
}

Gates::~Gates() {
  if (watchdog_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    watchdog_.join();
  }
  advance(last_);
  driver_.ctx_synchronize();  // nothing may still look at the word
  driver_.mem_free_host(word_);
}

Gate Gates::close(CUstream stream, const GateOptions& options, bool wait_value) {
  if (!watchdog_.joinable()) start_watchdog();
  const std::uint32_t ticket = ++last_ == 0 ? ++last_ : last_;  // 0 means "none"
  deadline_.store(steady_now() + options.patience.count(), std::memory_order_relaxed);
  closed_.store(ticket, std::memory_order_release);
  Gate gate(*this, ticket);  // armed before the stream waits: whatever happens next, it opens
  if (wait_value && options.kind != GateOptions::Kind::spin)
    check(driver_, driver_.stream_wait_value32(stream, device_word_, ticket, CU_STREAM_WAIT_VALUE_GEQ),
          "cannot hold the stream");
  else
    kernels_.gate(stream, device_word_, ticket, kSpinTimeout);
  return gate;
}

void Gates::open(std::uint32_t ticket) noexcept {
  std::uint32_t watched = ticket;
  closed_.compare_exchange_strong(watched, 0);
  advance(ticket);
}

void Gates::advance(std::uint32_t ticket) noexcept {
  const std::atomic_ref word(*word_);
  std::uint32_t now = word.load(std::memory_order_relaxed);
  while (static_cast<std::int32_t>(ticket - now) > 0 &&
         !word.compare_exchange_weak(now, ticket, std::memory_order_release)) {
  }
}

bool Gates::tripped(std::uint32_t ticket) const noexcept {
  return tripped_.load(std::memory_order_acquire) == ticket;
}

// It inherits the CPUs of the thread that starts it, which may be the one that the measuring thread has for itself.
void Gates::start_watchdog() {
  watchdog_ = std::thread([this] { watch(); });
  if (!watchdog_cpus_.empty()) keep_on(watchdog_, watchdog_cpus_);
}

void Gates::keep_watchdog_on(const std::vector<int>& cpus) {
  watchdog_cpus_ = cpus;
  if (watchdog_.joinable()) keep_on(watchdog_, watchdog_cpus_);
}

void Gates::watch() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kLook, [this] { return done_; })) {
    std::uint32_t ticket = closed_.load(std::memory_order_acquire);
    if (ticket == 0 || steady_now() < deadline_.load(std::memory_order_relaxed)) continue;
    // Whoever takes the ticket away decides: a gate that was opened in time has not tripped.
    if (!closed_.compare_exchange_strong(ticket, 0)) continue;
    tripped_.store(ticket, std::memory_order_release);
    advance(ticket);
  }
}

}  // namespace strobe::cuda
