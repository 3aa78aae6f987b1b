// SPDX-License-Identifier: Apache-2.0
// What torch's allocator for the CPU gives to the thread that makes this, and takes back from it, with the operator in
// which that happens. Threads within an operator are not watched: what they take, they give back before it ends.
#pragma once

#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <memory>
#include <vector>

#include <strobe/workload.h>

namespace strobe::torch_plugin {

class TorchMemory {
 public:
  // To be destroyed on the same thread.
  TorchMemory();
  ~TorchMemory();
  TorchMemory(const TorchMemory&) = delete;
  TorchMemory& operator=(const TorchMemory&) = delete;

  // What blocks are for from now on: a literal.
  void set_cause(const char* cause);
  const std::vector<AllocationEvent>& events() const;

 private:
  class Listener;
  std::shared_ptr<Listener> listener_;
  c10::DebugInfoGuard guard_;
  at::CallbackHandle operators_;
};

}  // namespace strobe::torch_plugin
