// SPDX-License-Identifier: Apache-2.0
// An allocator for the CPU that notes every block it gives out. It stands in for ONNX Runtime's arena, which cannot be
// watched: so what the arena rounds up, keeps and reuses is not seen, and each request allocates anew. Sessions use it
// that were told to use the environment's allocators.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

#include <strobe/workload.h>

#include "workload/runtime/onnxruntime/api.h"

namespace strobe::onnxruntime {

class RecordingAllocator final : private OrtAllocator {
 public:
  explicit RecordingAllocator(Ort::Env&);
  ~RecordingAllocator();
  RecordingAllocator(const RecordingAllocator&) = delete;
  RecordingAllocator& operator=(const RecordingAllocator&) = delete;

  // What blocks are for from now on: a literal.
  void set_cause(const char* cause) { cause_ = cause; }
  std::vector<AllocationEvent> events() const;

 private:
  void* give(std::size_t bytes);
  void take_back(void*);

  Ort::Env& env_;
  Ort::MemoryInfo where_;
  std::atomic<const char*> cause_{"load"};
  mutable std::mutex mutex_;
  std::map<void*, std::uint64_t> live_;  // the number of its begin among the events
  std::vector<AllocationEvent> events_;
};

}  // namespace strobe::onnxruntime
