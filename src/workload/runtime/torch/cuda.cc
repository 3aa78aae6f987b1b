// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/cuda.h"

#include <ATen/Context.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <cstdint>
#include <dlfcn.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>

#include <fmt/format.h>

#include <strobe/error.h>

#include "host/library.h"

namespace strobe::torch_plugin {

std::filesystem::path torch_folder() {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<void*>(&aoti_torch_abi_version), &info) || !info.dli_fname) return {};
  return std::filesystem::path(info.dli_fname).parent_path();
}

Capability open_cuda() {
  const Library lib = Library::open((torch_folder() / "libtorch_cuda.so").string(), true);
  if (!lib) return {fmt::format("torch's CUDA library cannot be opened ({})", lib.why_not())};
  if (!c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA)) return {"this torch was built without CUDA"};
  if (c10::impl::VirtualGuardImpl(c10::DeviceType::CUDA).deviceCount() == 0) return {"torch finds no GPU it can use"};
  return {};
}

c10::Device torch_device(const Device& device) {
  const DeviceInfo info = device.info();
  if (info.kind != "cuda") return {c10::DeviceType::CPU};
  const auto index = info.facts.find("index");
  const auto* number = index == info.facts.end() ? nullptr : std::get_if<std::int64_t>(&index->second);
  return {c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(number ? *number : 0)};
}

c10::Stream new_stream(c10::Device device) {
  at::globalContext().lazyInitDevice(device.type());  // the allocator's statistics need it, too
  return c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device);
}

// As c10::cuda::getStreamFromExternal does, which is in a library that is not linked: the handle is the number.
c10::Stream external_stream(c10::Device device, void* native) {
  at::globalContext().lazyInitDevice(device.type());
  const auto number = static_cast<c10::StreamId>(reinterpret_cast<std::intptr_t>(native));
  return c10::Stream(c10::Stream::UNSAFE, device, number);
}

void release_cached_memory(c10::Device device) {
  c10::getDeviceAllocator(device.type())->emptyCache();
}

std::uint64_t device_allocations(c10::Device device) {
  const auto stats = c10::getDeviceAllocator(device.type())->getDeviceStats(device.index());
  return static_cast<std::uint64_t>(stats.num_device_alloc);
}

}  // namespace strobe::torch_plugin
