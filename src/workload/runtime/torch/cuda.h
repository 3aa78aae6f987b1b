// SPDX-License-Identifier: Apache-2.0
// CUDA in torch, brought in only where it is asked for: libtorch_cuda registers itself when it is opened, and
// everything here goes through the interfaces that libc10 has for any device.
#pragma once

#include <c10/core/Stream.h>
#include <filesystem>

#include "device/device.h"

namespace strobe::torch_plugin {

// Where the torch that is loaded lies.
std::filesystem::path torch_folder();

// Opens libtorch_cuda; a no has its reason: no library, no GPU that torch can use.
Capability open_cuda();

// The device that torch calls the same: cpu, or cuda with its number.
c10::Device torch_device(const Device&);

// A stream of torch's own pool on that device.
c10::Stream new_stream(c10::Device);

// A stream that is not torch's own, as torch names it.
c10::Stream external_stream(c10::Device, void* native);

// Hands back what torch's allocator keeps for later: the next session, or another runtime, may need it.
void release_cached_memory(c10::Device);

// How often torch's allocator asked the driver for memory.
std::uint64_t device_allocations(c10::Device);

}  // namespace strobe::torch_plugin
