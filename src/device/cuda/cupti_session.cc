// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cupti_session.h"

#include <array>
#include <atomic>
#include <utility>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "device/clock.h"
#include "device/cuda/cupti_decode.h"

namespace strobe::cuda {
namespace {

constexpr nanoseconds kWorstClock = 10us;  // between a launch and its kernel pass a few
constexpr int kClockTries = 20;
constexpr std::uint32_t kForced = 1;         // a flush of records that are not complete, too
constexpr std::uint32_t kSystemThreads = 1;  // threads as gettid numbers them

// Those without which nothing can be told, and those that add to it.
constexpr std::array kNeeded{CuptiKind::kernel, CuptiKind::copy, CuptiKind::set, CuptiKind::runtime_call,
                             CuptiKind::driver_call};
constexpr std::array kWelcome{CuptiKind::peer_copy, CuptiKind::synchronization, CuptiKind::internal_launch};

// CUPTI calls functions without a closure.
std::atomic<CuptiBuffers*> buffers_of_session = nullptr;

void give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  CuptiBuffers* const buffers = buffers_of_session;
  *buffer = buffers ? buffers->give() : nullptr;
  *size = *buffer ? CuptiBuffers::kBytes : 0;
  *most_records = 0;  // as many as fit
}

void take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  CuptiBuffers* const buffers = buffers_of_session;
  if (buffers && buffer) buffers->take_back(buffer, valid);
}

}  // namespace

std::shared_ptr<CuptiSession> CuptiSession::begin(const std::string& attached) {
  if (!attached.empty()) return std::shared_ptr<CuptiSession>(new CuptiSession(attached));
  return std::make_shared<CuptiSession>(load_cupti());
}

CuptiSession::CuptiSession(std::string held_by)
    : why_not_(fmt::format("a profiler or debugger is attached to this process ({})", held_by)),
      held_by_(std::move(held_by)) {}

CuptiSession::CuptiSession(Cupti cupti) : cupti_(std::move(cupti)), why_not_(cupti_.why_not) {
  if (!why_not_.empty()) return;
  CuptiBuffers* nobodys = nullptr;
  if (!buffers_of_session.compare_exchange_strong(nobodys, &buffers_)) {
    why_not_ = "another device of this process is traced already";
    return;
  }
  enable_kinds();
  if (why_not_.empty()) start();
}

// Buffers that CUPTI still has come back with the forced flush.
CuptiSession::~CuptiSession() {
  for (const CuptiKind kind : enabled_) cupti_.disable(kind);
  if (!enabled_.empty()) cupti_.flush_all(kForced);
  CuptiBuffers* ours = &buffers_;
  buffers_of_session.compare_exchange_strong(ours, nullptr);
}

void CuptiSession::enable_kinds() {
  if (cupti_.set_thread_id_type) cupti_.set_thread_id_type(kSystemThreads);
  if (const CuptiResult r = cupti_.register_callbacks(give_buffer, take_buffer); r != CuptiResult::success)
    return refuse(r, "take its records");
  for (const CuptiKind kind : kNeeded) {
    if (const CuptiResult r = cupti_.enable(kind); r != CuptiResult::success) return refuse(r, "record");
    enabled_.push_back(kind);
  }
  for (const CuptiKind kind : kWelcome) {
    if (cupti_.enable(kind) == CuptiResult::success) enabled_.push_back(kind);
  }
}

void CuptiSession::refuse(CuptiResult r, const char* what) {
  why_not_ = fmt::format("CUPTI cannot {}: {}", what, describe(cupti_, r));
  if (r == CuptiResult::several_subscribers) {
    held_by_ = cupti_holder(cupti_);
    if (held_by_.empty()) held_by_ = "unknown to CUPTI";
    why_not_ = fmt::format("another profiler has CUPTI ({})", held_by_);
  }
  if (r == CuptiResult::insufficient_privileges || r == CuptiResult::virtual_device_privileges)
    why_not_ =
        "CUPTI is not permitted to record here: load NVIDIA's module with NVreg_RestrictProfilingToAdminUsers=0, or "
        "be root";
}

void CuptiSession::start() {
  buffers_.reuse(flush());
  dropped();
  begin_ = read_clock();
}

std::vector<CuptiBuffers::Full> CuptiSession::flush() {
  cupti_.flush_all(0);
  cupti_.flush_all(kForced);
  return buffers_.take_full();
}

std::size_t CuptiSession::dropped() const {
  std::size_t n = 0;
  return cupti_.dropped_records(nullptr, 0, &n) == CuptiResult::success ? n : 0;
}

trace::ClockReading CuptiSession::read_clock() const {
  const SteadyClock clock;
  trace::ClockReading best{.before = {}, .tracer = {}, .after = nanoseconds::max()};
  for (int i = 0; i < kClockTries; ++i) {
    std::uint64_t theirs = 0;
    const nanoseconds before = clock.now();
    if (const CuptiResult r = cupti_.get_timestamp(&theirs); r != CuptiResult::success)
      throw Error(ErrorCode::failed, "cannot trace the GPU", fmt::format("CUPTI's clock: {}", describe(cupti_, r)));
    const nanoseconds after = clock.now();
    if (after - before < best.after - best.before)
      best = {before, nanoseconds(static_cast<std::int64_t>(theirs)), after};
  }
  return best;
}

trace::Recording CuptiSession::take(std::uint32_t device) {
  trace::Recording all;
  all.source = fmt::format("CUPTI {}", cupti_.version);
  const std::vector<CuptiBuffers::Full> full = flush();
  const trace::ClockReading end = read_clock();
  all.clock = {std::exchange(begin_, end), end};
  decode(cupti_, full, device, all);
  buffers_.reuse(full);
  all.dropped = dropped();
  if (const nanoseconds error = trace::clock_error(all); error > kWorstClock)
    throw Error(ErrorCode::failed, "cannot trace the GPU",
                fmt::format("CUPTI's clock and the host's agree to within {} only", format_time(error)),
                "Is the system's time being set? Try again.");
  return all;
}

}  // namespace strobe::cuda
