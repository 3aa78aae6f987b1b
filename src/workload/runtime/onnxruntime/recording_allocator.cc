// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/onnxruntime/recording_allocator.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace strobe::onnxruntime {
namespace {

constexpr std::size_t kAlignment = 64;  // what the library's kernels expect

std::chrono::nanoseconds steady_now() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

}  // namespace

RecordingAllocator::RecordingAllocator(Ort::Env& env)
    : OrtAllocator{}, env_(env), where_(Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault)) {
  version = ORT_API_VERSION;
  Alloc = [](OrtAllocator* self, std::size_t bytes) { return static_cast<RecordingAllocator*>(self)->give(bytes); };
  Reserve = Alloc;
  Free = [](OrtAllocator* self, void* block) { static_cast<RecordingAllocator*>(self)->take_back(block); };
  Info = [](const OrtAllocator* self) -> const OrtMemoryInfo* {
    return static_cast<const RecordingAllocator*>(self)->where_;
  };
  Ort::ThrowOnError(Ort::GetApi().RegisterAllocator(env_, this));
}

// Sessions that use it are gone by now.
RecordingAllocator::~RecordingAllocator() {
  Ort::Status(Ort::GetApi().UnregisterAllocator(env_, where_));
}

void* RecordingAllocator::give(std::size_t bytes) {
  const std::size_t whole = std::max((bytes + kAlignment - 1) / kAlignment, std::size_t{1}) * kAlignment;
  void* block = std::aligned_alloc(kAlignment, whole);
  if (!block) return nullptr;
  const std::lock_guard lock(mutex_);
  live_[block] = events_.size();
  events_.push_back({steady_now(), events_.size() + 1, static_cast<std::int64_t>(bytes), cause_.load(), {}});
  return block;
}

void RecordingAllocator::take_back(void* block) {
  if (!block) return;
  {
    const std::lock_guard lock(mutex_);
    if (const auto it = live_.find(block); it != live_.end()) {
      const AllocationEvent begun = events_[it->second];
      events_.push_back({steady_now(), begun.block, -begun.bytes, {}, {}});
      live_.erase(it);
    }
  }
  std::free(block);
}

std::vector<AllocationEvent> RecordingAllocator::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

}  // namespace strobe::onnxruntime
