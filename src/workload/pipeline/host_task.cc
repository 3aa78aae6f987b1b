// SPDX-License-Identifier: Apache-2.0
#include "workload/pipeline/host_task.h"

#include <cstring>
#include <memory>
#include <span>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "host/facts.h"
#include "host/library.h"
#include "workload/pipeline/numpy_randn.h"

namespace strobe {
namespace {

void refuse_simulated(const Device& device, const char* task) {
  if (device.info().kind != "simulated") return;
  throw Error(ErrorCode::usage, fmt::format("cannot do '{}' on a simulated device", task),
              "it takes no time on the simulation's clock", "Take spin or sleep.");
}

// Memory of the host, with a clear refusal instead of a machine that swaps.
template <class T>
std::shared_ptr<T[]> allocate(std::uint64_t count) {
  const auto available = available_memory();
  const Bytes wanted{count * sizeof(T)};
  if (available && wanted > *available)
    throw Error(ErrorCode::out_of_memory, fmt::format("cannot allocate {}", format_bytes(wanted)),
                fmt::format("{} are free", format_bytes(*available)), "Take less.");
  return std::shared_ptr<T[]>(new T[count]());
}

}  // namespace

HostTask make_host_task(const RandnTask& task, Device& device) {
  refuse_simulated(device, "randn");
  std::uint64_t count = 1;
  for (const std::int64_t d : task.shape) count *= static_cast<std::uint64_t>(d);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  if (count > kMost)
    throw Error(ErrorCode::usage, "cannot fill so large a tensor",
                fmt::format("it has {} elements", format_count(count)));
  const auto values = allocate<float>(count);
  auto random = std::make_shared<NumpyRandn>(1);
  const auto scale = static_cast<float>(task.scale), offset = static_cast<float>(task.offset);
  const auto run = [=] {
    const std::span<float> all(values.get(), count);
    random->fill(all);
    for (float& x : all) x = x * scale + offset;
  };
  return {run, fmt::format("randn {}", format_shape(task.shape)),
          std::as_bytes(std::span<const float>(values.get(), count))};
}

HostTask make_host_task(const SpinTask& task, Device& device) {
  Clock& clock = device.clock();
  const nanoseconds length = task.length;
  const std::string about = fmt::format("spin {}", format_time(length));
  // A simulated clock stands still while nobody moves it.
  if (device.info().kind == "simulated") return {[&clock, length] { clock.sleep(length); }, about};
  const auto run = [&clock, length] {
    const nanoseconds end = clock.now() + length;
    while (clock.now() < end) {
    }
  };
  return {run, about};
}

HostTask make_host_task(const SleepTask& task, Device& device) {
  Clock& clock = device.clock();
  return {[&clock, length = task.length] { clock.sleep_until(clock.now() + length); },
          fmt::format("sleep {}", format_time(task.length))};
}

HostTask make_host_task(const MemcpyTask& task, Device& device) {
  refuse_simulated(device, "memcpy");
  const std::size_t bytes = task.bytes.count;
  const auto from = allocate<std::byte>(bytes), to = allocate<std::byte>(bytes);
  std::memset(from.get(), 1, bytes);
  const auto run = [=] { std::memcpy(to.get(), from.get(), bytes); };
  return {run, fmt::format("memcpy {}", format_bytes(task.bytes)), {to.get(), bytes}};
}

HostTask make_host_task(const FunctionTask& task, Device& device) {
  refuse_simulated(device, "function");
  const Library library = Library::open(task.library);
  if (!library)
    throw Error(ErrorCode::not_found, fmt::format("cannot open the library '{}'", task.library), library.why_not());
  auto* function = library.function<void()>(task.symbol.c_str());
  if (!function)
    throw Error(ErrorCode::not_found, fmt::format("cannot call '{}' of '{}'", task.symbol, task.library),
                "the library has no such symbol", "Declare it extern \"C\" void NAME(void), and export it.");
  return {function, fmt::format("{} of {}", task.symbol, std::filesystem::path(task.library).filename().string())};
}

}  // namespace strobe
