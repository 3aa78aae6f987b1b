// SPDX-License-Identifier: Apache-2.0
#include "workload/builtin.h"

#include <cstring>
#include <new>
#include <sys/mman.h>
#include <vector>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "device/cuda/cuda_device.h"
#include "device/simulated/parameters.h"
#include "workload/callable.h"
#include "workload/cuda_builtin.h"

namespace strobe {

namespace {

// The same work as kernels on the GPU; nothing when `kind` is not one that a GPU can do.
std::unique_ptr<Workload> make_on_cuda(std::string_view kind, std::string_view value, cuda::CudaDevice& gpu,
                                       void* stream) {
  if (kind == "null" && value.empty()) return std::make_unique<CudaSpins>(gpu, std::vector<nanoseconds>{0ns}, stream);
  if (kind == "spin" && !value.empty())
    return std::make_unique<CudaSpins>(gpu, std::vector<nanoseconds>{parse_time(value, "work:spin")}, stream);
  if (kind != "kernels" || value.empty()) return nullptr;
  std::vector<nanoseconds> lengths;
  for (const KernelRun& run : parse_sim(fmt::format("kernels={}", value)).kernels)
    lengths.insert(lengths.end(), run.count, run.length);
  return std::make_unique<CudaSpins>(gpu, std::move(lengths), stream);
}

// Pages of their own, touched: the heap might have had such a block to spare.
std::shared_ptr<void> new_pages(std::size_t bytes) {
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  std::memset(at, 1, bytes);
  return {at, [bytes](void* p) { ::munmap(p, bytes); }};
}

// Each request keeps so much memory. Not for ever: this is to be found, not to end the machine.
std::unique_ptr<Workload> make_leak(Bytes each, Device& device) {
  constexpr std::uint64_t kMostKept = std::uint64_t{1} << 30;
  if (each.count == 0) throw Error(ErrorCode::usage, "cannot leak 0 bytes", {}, "Take work:leak=1MiB.");
  const auto kept = std::make_shared<std::vector<std::shared_ptr<void>>>();
  const auto leak = [kept, each] {
    if ((kept->size() + 1) * each.count > kMostKept)
      throw Error(ErrorCode::out_of_memory, "cannot leak more", "it has kept a gibibyte", "Take fewer --requests.");
    kept->push_back(new_pages(each.count));
  };
  return std::make_unique<Callable>(leak, device.stream(), 1);
}

}  // namespace

std::unique_ptr<Workload> make_builtin(std::string_view text, Device& device, void* stream) {
  const std::size_t eq = text.find('=');
  const std::string_view kind = text.substr(0, eq);
  if (auto* gpu = dynamic_cast<cuda::CudaDevice*>(&device)) {
    auto work =
        make_on_cuda(kind, eq == std::string_view::npos ? std::string_view() : text.substr(eq + 1), *gpu, stream);
    if (work) return work;
    throw Error(ErrorCode::usage, fmt::format("unknown work 'work:{}' on a GPU", text.substr(0, 40)), {},
                "Take work:null, work:spin=100us or work:kernels=20x1us+2x50us.");
  }
  const bool simulated = device.info().kind == "simulated";
  const auto refuse_no_time = [&] {
    if (simulated)
      throw Error(ErrorCode::usage, fmt::format("cannot run 'work:{}' on a simulated device", text.substr(0, 40)),
                  "it takes no time on the simulation's clock", "Take work:spin=100us or work:sleep=1ms.");
  };
  if (kind == "null" && eq == std::string_view::npos) {
    refuse_no_time();
    return std::make_unique<Callable>([] {}, device.stream(), 1);
  }
  if (eq != std::string_view::npos && (kind == "spin" || kind == "sleep")) {
    const nanoseconds length = parse_time(text.substr(eq + 1), fmt::format("work:{}", kind));
    if (length == 0ns) refuse_no_time();
    Clock& clock = device.clock();
    // A simulated clock stands still while nobody moves it.
    const auto sleep = [&clock, length] { clock.sleep_until(clock.now() + length); };
    if (kind == "sleep" || simulated) return std::make_unique<Callable>(sleep, device.stream(), 1);
    const auto spin = [&clock, length] {
      const nanoseconds end = clock.now() + length;
      while (clock.now() < end) {
      }
    };
    return std::make_unique<Callable>(spin, device.stream(), 1);
  }
  if (kind == "leak" && eq != std::string_view::npos && !simulated)
    return make_leak(parse_bytes(text.substr(eq + 1), "work:leak"), device);
  throw Error(ErrorCode::usage, fmt::format("unknown work 'work:{}'", text.substr(0, 40)), {},
              "Take work:null, work:spin=100us, work:sleep=1ms or work:leak=1MiB.");
}

}  // namespace strobe
