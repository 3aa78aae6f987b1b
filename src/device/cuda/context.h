// SPDX-License-Identifier: Apache-2.0
// The primary context of a GPU, which every runtime in the process shares.
#pragma once

#include <memory>
#include <string>

#include "device/cuda/driver.h"

namespace strobe::cuda {

// Has this process a primary context on the device: a runtime's, the caller's, or ours from before?
bool has_context(const Driver&, CUdevice);

// The context that was current on this thread before ours: current again when this ends, unless somebody else has made
// another one current meanwhile. Those who use the same device share one, because they may end in any order.
class PreviousContext {
 public:
  static std::shared_ptr<const PreviousContext> before(const Driver&, CUcontext ours);
  PreviousContext(const Driver&, CUcontext ours);
  ~PreviousContext();
  PreviousContext(const PreviousContext&) = delete;
  PreviousContext& operator=(const PreviousContext&) = delete;

 private:
  PFN_cuCtxGetCurrent_v4000 get_;
  PFN_cuCtxSetCurrent_v4000 set_;
  CUcontext ours_, previous_ = nullptr;
};

// The primary context, retained as long as this lives and current on the thread that made it. The host spins while it
// waits: what a blocking wait adds (tens of microseconds) belongs to the operating system, not to the model.
class Context {
 public:
  Context(const Driver&, CUdevice);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  void use_on_this_thread() const;
  bool owns(CUstream) const;  // true also where the driver cannot tell
  std::string wait() const;   // "spin", "yield", "blocking" or "auto", as the driver says

 private:
  const Driver& driver_;
  CUdevice device_;
  CUcontext context_ = nullptr;
  std::shared_ptr<const PreviousContext> previous_;
};

}  // namespace strobe::cuda
