// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_cuda.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "base/units.h"
#include "device/cuda/kernels.h"

namespace strobe::testing {
namespace {

// A gate that something stands behind. Opening a gate opens the earlier ones, so the latest is enough to know.
struct Held {
  const std::uint32_t* word = nullptr;
  std::uint32_t ticket = 0;
};
struct Event {
  float ms = 0;  // when it was recorded
  unsigned flags = 0;
  Held behind = {};
};
std::map<CUstream, Held> held;
std::uintptr_t streams = 0;
float clock_ms = 0;
std::mutex driver_lock;
thread_local CUcontext current = nullptr;

CUcontext context_of(CUdevice i) {
  return reinterpret_cast<CUcontext>(0x100 * (static_cast<std::uintptr_t>(i) + 1));
}

Event& event(CUevent e) {
  return *reinterpret_cast<Event*>(e);
}

bool is_open(const Held& gate) {
  if (!gate.word) return true;
  const std::atomic_ref word(const_cast<std::uint32_t&>(*gate.word));
  return static_cast<std::int32_t>(word.load(std::memory_order_acquire) - gate.ticket) >= 0;
}

CUresult pass(Held& gate) {
  while (!is_open(gate)) std::this_thread::sleep_for(1ms);
  gate = {};
  return CUDA_SUCCESS;
}

void tell(const FakeActivity& a) {
  if (fake_cuda().watch) fake_cuda().watch(a);
}

CUresult drain() {
  ++fake_cuda().synchronized;
  tell({.kind = FakeActivity::Kind::wait});
  for (auto& [stream, gate] : held) pass(gate);
  return CUDA_SUCCESS;
}

// A function of the module: its name.
CUfunction function_of(const char* name) {
  static std::set<std::string, std::less<>> names;
  return reinterpret_cast<CUfunction>(const_cast<std::string*>(&*names.emplace(name).first));
}

const std::string& name_of(CUfunction f) {
  return *reinterpret_cast<const std::string*>(f);
}

constexpr const char* kSpin = "strobe_spin";

nanoseconds length_of(CUfunction f, void** arguments) {
  if (name_of(f) != kSpin) return 1us;
  return nanoseconds(static_cast<std::int64_t>(*static_cast<std::uint64_t*>(arguments[0])));
}

// The kernel's own clock begins anew for each. Only beside a fake profiler, whose times are held against it.
void tell_truth(CUdeviceptr to, nanoseconds length) {
  if (to == 0 || !fake_cuda().watch) return;
  constexpr std::uint64_t kBegin = 1'000;
  *reinterpret_cast<cuda::Truth*>(to) = {.begin = kBegin, .end = kBegin + static_cast<std::uint64_t>(length.count())};
}

// A millisecond passes from one stamp to the next.
void stamp(CUdeviceptr to) {
  if (fake_cuda().sm_mhz == 0) return;
  static std::uint64_t milliseconds = 0;
  ++milliseconds;
  *reinterpret_cast<cuda::ClockStamp*>(to) = {
      .nanoseconds = 1'000'000 * milliseconds,
      .cycles = static_cast<std::uint64_t>(1e3 * fake_cuda().sm_mhz) * milliseconds};
}

void fill_profiler(cuda::Driver& d) {
  d.profiler_start = d.profiler_stop = [] {
    fake_cuda().profiler_calls.push_back(fake_cuda().kernel_launches);
    return CUDA_SUCCESS;
  };
}

void fill_queries(cuda::Driver& d) {
  d.init = [](unsigned) { return CUDA_SUCCESS; };
  d.get_error_name = [](CUresult, const char** s) {
    *s = "CUDA_ERROR_FAKE";
    return CUDA_SUCCESS;
  };
  d.get_error_string = [](CUresult, const char** s) {
    *s = "as told";
    return CUDA_SUCCESS;
  };
  d.device_get_count = [](int* n) {
    *n = fake_cuda().devices;
    return CUDA_SUCCESS;
  };
  d.device_get = [](CUdevice* device, int i) {
    *device = i;
    return CUDA_SUCCESS;
  };
  d.device_get_name = [](char* text, int n, CUdevice) {
    std::strncpy(text, "Fake GPU", static_cast<std::size_t>(n));
    return CUDA_SUCCESS;
  };
  d.device_get_uuid = [](CUuuid* uuid, CUdevice i) {
    std::memset(uuid, i + 0x10, sizeof *uuid);
    return CUDA_SUCCESS;
  };
  d.device_get_pci_bus_id = [](char* text, int n, CUdevice) {
    std::strncpy(text, "0000:00:00.0", static_cast<std::size_t>(n));
    return CUDA_SUCCESS;
  };
  d.device_get_attribute = [](int* value, CUdevice_attribute a, CUdevice) {
    const auto told = fake_cuda().attributes.find(a);
    *value = told == fake_cuda().attributes.end() ? 1 : told->second;
    return CUDA_SUCCESS;
  };
  d.device_total_mem = [](std::size_t* n, CUdevice) {
    *n = fake_cuda().memory;
    return CUDA_SUCCESS;
  };
}

void fill_context(cuda::Driver& d) {
  d.primary_set_flags = [](CUdevice, unsigned) { return CUDA_SUCCESS; };
  d.primary_retain = [](CUcontext* c, CUdevice i) {
    fake_cuda().contexts[i] += fake_cuda().retain == CUDA_SUCCESS;
    *c = context_of(i);
    return fake_cuda().retain;
  };
  d.primary_release = [](CUdevice i) {
    --fake_cuda().contexts[i];
    ++fake_cuda().contexts_released;
    return CUDA_SUCCESS;
  };
  d.ctx_set_current = [](CUcontext c) {
    current = c;
    return CUDA_SUCCESS;
  };
  d.ctx_get_current = [](CUcontext* c) {
    *c = current;
    return CUDA_SUCCESS;
  };
  d.ctx_get_flags = [](unsigned* flags) {
    *flags = CU_CTX_SCHED_SPIN;
    return CUDA_SUCCESS;
  };
  d.ctx_synchronize = [] { return drain(); };
  d.reset_persisting_l2 = [] { return CUDA_SUCCESS; };
  d.primary_get_state = [](CUdevice i, unsigned* flags, int* active) {
    *flags = 0;
    *active = fake_cuda().contexts[i] > 0;
    return CUDA_SUCCESS;
  };
  d.ctx_get_limit = [](std::size_t* bytes, CUlimit) {
    *bytes = fake_cuda().persisting_l2;
    return CUDA_SUCCESS;
  };
}

void fill_memory(cuda::Driver& d) {
  d.mem_get_info = [](std::size_t* free, std::size_t* all) {
    *free = *all = fake_cuda().memory;
    return CUDA_SUCCESS;
  };
  d.mem_alloc = [](CUdeviceptr* p, std::size_t n) {
    if (n > fake_cuda().memory) return CUDA_ERROR_OUT_OF_MEMORY;
    fake_cuda().largest_allocation = std::max(fake_cuda().largest_allocation, n);
    *p = reinterpret_cast<CUdeviceptr>(std::calloc(1, n));
    return CUDA_SUCCESS;
  };
  d.mem_free = [](CUdeviceptr p) {
    drain();
    std::free(reinterpret_cast<void*>(p));
    return CUDA_SUCCESS;
  };
  d.mem_host_alloc = [](void** p, std::size_t n, unsigned) {
    *p = std::calloc(1, n);
    return CUDA_SUCCESS;
  };
  d.mem_free_host = [](void* p) {
    std::free(p);
    return CUDA_SUCCESS;
  };
  d.mem_host_get_device_pointer = [](CUdeviceptr* to, void* p, unsigned) {
    *to = reinterpret_cast<CUdeviceptr>(p);
    return CUDA_SUCCESS;
  };
  d.memcpy_async = [](CUdeviceptr to, CUdeviceptr from, std::size_t n, CUstream s) {
    tell({.kind = FakeActivity::Kind::copy, .stream = s, .bytes = n});
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), n);
    return CUDA_SUCCESS;
  };
}

void fill_streams(cuda::Driver& d) {
  d.stream_create = [](CUstream* s, unsigned) {
    *s = reinterpret_cast<CUstream>(0x1000 + 0x10 * ++streams);
    return CUDA_SUCCESS;
  };
  d.stream_get_ctx = [](CUstream s, CUcontext* c) {
    const auto owner = fake_cuda().owners.find(s);
    *c = owner == fake_cuda().owners.end() ? current : context_of(owner->second);
    return CUDA_SUCCESS;
  };
  d.stream_destroy = [](CUstream s) {
    fake_cuda().streams_destroyed.push_back(s);
    return CUDA_SUCCESS;
  };
  d.stream_synchronize = [](CUstream s) {
    ++fake_cuda().synchronized;
    const CUresult done = pass(held[s]);
    tell({.kind = FakeActivity::Kind::wait, .stream = s});
    return fake_cuda().synchronize == CUDA_SUCCESS ? done : fake_cuda().synchronize;
  };
  d.stream_wait_event = [](CUstream s, CUevent e, unsigned) {
    if (!is_open(event(e).behind)) held[s] = event(e).behind;
    return CUDA_SUCCESS;
  };
  d.stream_wait_value32 = [](CUstream s, CUdeviceptr word, cuuint32_t ticket, unsigned) {
    held[s] = {reinterpret_cast<const std::uint32_t*>(word), ticket};
    return CUDA_SUCCESS;
  };
  d.stream_begin_capture = [](CUstream, CUstreamCaptureMode) {
    fake_cuda().capturing = true;
    fake_cuda().captured = 0;
    fake_cuda().graph.clear();
    return CUDA_SUCCESS;
  };
  d.stream_end_capture = [](CUstream, CUgraph* g) {
    fake_cuda().capturing = false;
    ++fake_cuda().captures_ended;
    *g = reinterpret_cast<CUgraph>(0x20);
    return fake_cuda().end_capture;
  };
  d.event_create = [](CUevent* e, unsigned flags) {
    *e = reinterpret_cast<CUevent>(new Event{.flags = flags});
    return CUDA_SUCCESS;
  };
  d.event_destroy = [](CUevent e) {
    delete &event(e);
    return CUDA_SUCCESS;
  };
  d.event_record = [](CUevent e, CUstream s) {
    fake_cuda().timed_events += (event(e).flags & CU_EVENT_DISABLE_TIMING) == 0;
    event(e).ms = clock_ms += 0.001F;
    event(e).behind = held[s];
    return CUDA_SUCCESS;
  };
  d.event_synchronize = [](CUevent e) {
    fake_cuda().blocking_waits += (event(e).flags & CU_EVENT_BLOCKING_SYNC) != 0;
    ++fake_cuda().synchronized;
    return pass(event(e).behind);
  };
  d.event_query = [](CUevent e) { return is_open(event(e).behind) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY; };
  d.event_elapsed_time = [](float* ms, CUevent a, CUevent b) {
    if ((event(a).flags | event(b).flags) & CU_EVENT_DISABLE_TIMING) return CUDA_ERROR_INVALID_HANDLE;
    const bool reached = is_open(event(a).behind) && is_open(event(b).behind);
    *ms = event(b).ms - event(a).ms;
    return reached ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  };
}

void fill_kernels(cuda::Driver& d) {
  d.module_load_data = [](CUmodule* m, const void*) {
    *m = reinterpret_cast<CUmodule>(0x30);
    return CUDA_SUCCESS;
  };
  d.module_unload = [](CUmodule) { return CUDA_SUCCESS; };
  d.module_get_function = [](CUfunction* f, CUmodule, const char* name) {
    *f = function_of(name);
    return CUDA_SUCCESS;
  };
  d.launch_kernel = [](CUfunction f, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream s,
                       void** arguments, void**) {
    ++fake_cuda().kernel_launches;
    const std::pair kernel(name_of(f), length_of(f, arguments));
    if (fake_cuda().capturing)
      fake_cuda().graph.push_back(kernel);
    else
      tell({.kind = FakeActivity::Kind::kernels, .stream = s, .kernels = {kernel}});
    if (name_of(f) == kSpin) tell_truth(*static_cast<CUdeviceptr*>(arguments[1]), kernel.second);
    if (name_of(f) == "strobe_clock") stamp(*static_cast<CUdeviceptr*>(arguments[0]));
    if (fake_cuda().kernels) fake_cuda().kernels->push_back(name_of(f));
    fake_cuda().captured += fake_cuda().capturing;
    return std::exchange(fake_cuda().next_launch, CUDA_SUCCESS);
  };
  d.graph_instantiate = [](CUgraphExec* e, CUgraph, unsigned long long) {
    *e = reinterpret_cast<CUgraphExec>(0x50);
    return CUDA_SUCCESS;
  };
  d.graph_launch = [](CUgraphExec, CUstream s) {
    tell({.kind = FakeActivity::Kind::kernels, .stream = s, .kernels = fake_cuda().graph});
    return CUDA_SUCCESS;
  };
  d.graph_upload = [](CUgraphExec, CUstream) { return CUDA_SUCCESS; };
  d.graph_exec_destroy = [](CUgraphExec) { return CUDA_SUCCESS; };
  d.graph_destroy = [](CUgraph) {
    ++fake_cuda().graphs_destroyed;
    return CUDA_SUCCESS;
  };
  d.graph_get_nodes = [](CUgraph, CUgraphNode* nodes, std::size_t* n) {
    *n = fake_cuda().captured + 1;
    for (std::size_t i = 0; nodes && i < *n; ++i) nodes[i] = reinterpret_cast<CUgraphNode>(i + 1);
    return CUDA_SUCCESS;
  };
  d.graph_node_get_type = [](CUgraphNode node, CUgraphNodeType* type) {
    const bool kernel = reinterpret_cast<std::size_t>(node) <= fake_cuda().captured;
    *type = kernel ? CU_GRAPH_NODE_TYPE_KERNEL : CU_GRAPH_NODE_TYPE_EVENT_RECORD;
    return CUDA_SUCCESS;
  };
}

// As the real ones: one call at a time, and none from a thread without a current context.
template <auto Slot, class... Arguments>
void guard(cuda::Driver& d, CUresult (*function)(Arguments...)) {
  static CUresult (*inner)(Arguments...) = nullptr;
  inner = function;
  d.*Slot = [](Arguments... arguments) {
    const std::lock_guard lock(driver_lock);
    return current ? inner(arguments...) : CUDA_ERROR_INVALID_CONTEXT;
  };
}

void guard_all(cuda::Driver& d) {
  using cuda::Driver;
  guard<&Driver::ctx_synchronize>(d, d.ctx_synchronize);
  guard<&Driver::mem_get_info>(d, d.mem_get_info);
  guard<&Driver::mem_alloc>(d, d.mem_alloc);
  guard<&Driver::mem_free>(d, d.mem_free);
  guard<&Driver::mem_host_alloc>(d, d.mem_host_alloc);
  guard<&Driver::memcpy_async>(d, d.memcpy_async);
  guard<&Driver::stream_create>(d, d.stream_create);
  guard<&Driver::stream_synchronize>(d, d.stream_synchronize);
  guard<&Driver::stream_wait_event>(d, d.stream_wait_event);
  guard<&Driver::stream_wait_value32>(d, d.stream_wait_value32);
  guard<&Driver::event_create>(d, d.event_create);
  guard<&Driver::event_record>(d, d.event_record);
  guard<&Driver::event_synchronize>(d, d.event_synchronize);
  guard<&Driver::event_query>(d, d.event_query);
  guard<&Driver::event_elapsed_time>(d, d.event_elapsed_time);
  guard<&Driver::launch_kernel>(d, d.launch_kernel);
}

}  // namespace

FakeCuda& fake_cuda() {
  static FakeCuda state;
  return state;
}

cuda::Driver fake_driver() {
  fake_cuda() = {};
  held.clear();
  clock_ms = 0;
  current = nullptr;
  cuda::Driver d;
  d.version = 13000;
  fill_queries(d);
  fill_context(d);
  fill_memory(d);
  fill_streams(d);
  fill_kernels(d);
  fill_profiler(d);
  guard_all(d);
  return d;
}

}  // namespace strobe::testing
