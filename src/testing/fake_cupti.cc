// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_cupti.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "base/intervals.h"
#include "device/cuda/cupti_records.h"
#include "testing/fake_cuda.h"

namespace strobe::testing {
namespace {

using cuda::CuptiKind;
using cuda::CuptiResult;

constexpr std::size_t kStride = 160;  // of every record
constexpr nanoseconds kLatency = 1us, kCall = 2us, kCopy = 5us;
using RecordBytes = std::array<std::uint8_t, kStride>;

struct State {
  FakeCupti told;
  std::vector<RecordBytes> records;
  std::map<CUstream, nanoseconds> free_at;
  std::uint32_t calls = 0;
  std::size_t dropped = 0;
  cuda::CuptiBufferRequested requested = nullptr;
  cuda::CuptiBufferCompleted completed = nullptr;
};

State& state() {
  static State s;
  return s;
}

nanoseconds now() {
  return std::chrono::system_clock::now().time_since_epoch() + fake_cupti().step;
}

std::uint64_t ns(nanoseconds t) {
  return static_cast<std::uint64_t>(t.count());
}

std::uint32_t number_of(CUstream s) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(s) / 0x10);
}

template <class Record>
void write(const Record& r) {
  static_assert(sizeof(Record) <= kStride);
  if (!fake_cupti().kinds.contains(r.kind)) return;
  RecordBytes& bytes = state().records.emplace_back();
  std::memcpy(bytes.data(), &r, sizeof r);
}

void write_call(CuptiKind kind, std::uint32_t call, nanoseconds begin, nanoseconds end) {
  write(cuda::CallRecord{.kind = kind,
                         .function = 307,
                         .start = ns(begin),
                         .end = ns(end),
                         .process = 1,
                         .thread = 2,
                         .correlation = call,
                         .result = 0});
}

// The runtime's call, and the driver's within it.
std::uint32_t write_calls(nanoseconds begin) {
  const std::uint32_t call = ++state().calls;
  write_call(CuptiKind::runtime_call, call, begin, begin + kCall);
  write_call(CuptiKind::driver_call, call, begin + kCall / 4, begin + kCall / 2);
  return call;
}

// Work begins a moment after its call, when what is before it in the stream is done.
Interval run(CUstream s, nanoseconds called, nanoseconds length) {
  nanoseconds& free = state().free_at[s];
  const nanoseconds begin = std::max(called + kCall + kLatency, free);
  free = begin + length;
  return {begin, free};
}

void write_kernel(const char* name, std::uint32_t call, CUstream s, Interval when) {
  FakeCupti& told = fake_cupti();
  if (told.drop > 0) {
    --told.drop;
    ++state().dropped;
    return;
  }
  if (told.untimed > 0) {
    --told.untimed;
    when = {};
  } else {
    when.end += told.excess;
  }
  cuda::KernelRecord r{};
  r.kind = CuptiKind::kernel;
  r.start = ns(when.begin);
  r.end = ns(when.end);
  r.device = told.device;
  r.stream = number_of(s);
  r.correlation = call;
  r.name = name;
  write(r);
}

void write_kernels(const FakeActivity& a, nanoseconds begin) {
  const std::uint32_t call = write_calls(begin);
  for (const auto& [name, length] : a.kernels) {
    static std::set<std::string, std::less<>> names;  // as CUPTI's, they stay
    Interval when = run(a.stream, begin, length);
    if (fake_cupti().early > 0ns) when = {begin - fake_cupti().early, begin - fake_cupti().early + length};
    write_kernel(names.emplace(name).first->c_str(), call, a.stream, when);
  }
}

void write_copy(const FakeActivity& a, nanoseconds begin) {
  const std::uint32_t call = write_calls(begin);
  const Interval when = run(a.stream, begin, kCopy);
  write(cuda::CopyRecord{.kind = CuptiKind::copy,
                         .copy_kind = 2,
                         .from = 3,
                         .to = 2,
                         .flags = 0,
                         .bytes = a.bytes,
                         .start = ns(when.begin),
                         .end = ns(when.end),
                         .device = fake_cupti().device,
                         .context = 1,
                         .stream = number_of(a.stream),
                         .correlation = call});
}

// The device takes as long as it takes.
void write_wait(const FakeActivity& a, nanoseconds begin) {
  nanoseconds done{};
  for (const auto& [stream, free] : state().free_at) {
    if (!a.stream || a.stream == stream) done = std::max(done, free);
  }
  while (now() < done) {
  }
  write(cuda::WaitRecord{.kind = CuptiKind::synchronization,
                         .type = a.stream ? cuda::CuptiWait::stream : cuda::CuptiWait::context,
                         .start = ns(begin),
                         .end = ns(now()),
                         .correlation = ++state().calls,
                         .context = 1,
                         .stream = number_of(a.stream),
                         .event = 0});
}

void listen(const FakeActivity& a) {
  const nanoseconds begin = now();
  switch (a.kind) {
    case FakeActivity::Kind::kernels:
      return write_kernels(a, begin);
    case FakeActivity::Kind::copy:
      return write_copy(a, begin);
    case FakeActivity::Kind::wait:
      return write_wait(a, begin);
  }
}

// As many buffers as it takes.
CuptiResult flush(std::uint32_t) {
  State& s = state();
  ++s.told.flushes;
  if (s.told.reversed) std::reverse(s.records.begin(), s.records.end());
  while (!s.records.empty()) {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0, most = 0;
    s.requested(&buffer, &size, &most);
    const std::size_t n = std::min(buffer ? size / kStride : 0, s.records.size());
    if (n == 0) {
      s.dropped += s.records.size();
      s.records.clear();
      break;
    }
    std::memcpy(buffer, s.records.data(), n * kStride);
    s.records.erase(s.records.begin(), s.records.begin() + static_cast<std::ptrdiff_t>(n));
    s.completed(nullptr, 0, buffer, size, n * kStride);
  }
  return CuptiResult::success;
}

CuptiResult next_record(std::uint8_t* buffer, std::size_t valid, cuda::CuptiActivity** record) {
  auto* at = reinterpret_cast<std::uint8_t*>(*record);
  at = at ? at + kStride : buffer;
  if (at >= buffer + valid) return CuptiResult::max_limit_reached;
  *record = reinterpret_cast<cuda::CuptiActivity*>(at);
  return CuptiResult::success;
}

CuptiResult subscribe(void** subscriber, cuda::CuptiCallback, void*, cuda::CuptiSubscriberParams* params) {
  if (fake_cupti().holder.empty()) {
    ++fake_cupti().subscribed;
    *subscriber = &state();
    return CuptiResult::success;
  }
  std::strncpy(params->old_name, fake_cupti().holder.c_str(), params->old_size - 1);
  return CuptiResult::several_subscribers;
}

}  // namespace

FakeCupti& fake_cupti() {
  return state().told;
}

cuda::Cupti fake_cupti_table() {
  state() = {};
  fake_cuda().watch = listen;
  cuda::Cupti c;
  c.version = cuda::kOldestCupti;
  c.get_result_string = [](CuptiResult, const char** text) {
    *text = "CUPTI_ERROR_FAKE";
    return CuptiResult::success;
  };
  c.get_timestamp = [](std::uint64_t* t) {
    *t = ns(now());
    return fake_cupti().timestamp;
  };
  c.register_callbacks = [](cuda::CuptiBufferRequested requested, cuda::CuptiBufferCompleted completed) {
    state().requested = requested;
    state().completed = completed;
    return CuptiResult::success;
  };
  c.enable = [](CuptiKind kind) {
    if (fake_cupti().enable == CuptiResult::success) fake_cupti().kinds.insert(kind);
    return fake_cupti().enable;
  };
  c.disable = [](CuptiKind kind) {
    fake_cupti().kinds.erase(kind);
    return CuptiResult::success;
  };
  c.flush_all = flush;
  c.next_record = next_record;
  c.dropped_records = [](CUcontext, std::uint32_t, std::size_t* n) {
    *n = std::exchange(state().dropped, 0);
    return CuptiResult::success;
  };
  c.callback_name = [](cuda::CuptiDomain, std::uint32_t, const char** name) {
    *name = "cuLaunchKernel";
    return CuptiResult::success;
  };
  c.subscribe = subscribe;
  c.unsubscribe = [](void*) {
    --fake_cupti().subscribed;
    return CuptiResult::success;
  };
  return c;
}

}  // namespace strobe::testing
