// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/context.h"

#include <map>

#include <fmt/format.h>

#include <strobe/error.h>

namespace strobe::cuda {
namespace {

constexpr int kOldestMajor = 7;  // compute capability that the kernels are written for
constexpr const char* kUnusable = "cannot use the GPU";

// What can be told before a context is made, where the driver would only say that it failed.
void refuse_unusable(const Driver& driver, CUdevice device) {
  const auto ask = [&](CUdevice_attribute a, int otherwise) {
    int value = 0;
    return driver.device_get_attribute(&value, a, device) == CUDA_SUCCESS ? value : otherwise;
  };
  if (ask(CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, CU_COMPUTEMODE_DEFAULT) == CU_COMPUTEMODE_PROHIBITED)
    throw Error(ErrorCode::failed, kUnusable, "its compute mode is 'prohibited'",
                "Allow computing on it (sudo nvidia-smi -c DEFAULT), or use another --device.");
  const int major = ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, kOldestMajor);
  if (major < kOldestMajor)
    throw Error(ErrorCode::unsupported, kUnusable,
                fmt::format("its compute capability is {}.{} and {}.0 is needed", major,
                            ask(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0), kOldestMajor),
                "Use a newer GPU, or --device cpu.");
}

}  // namespace

bool has_context(const Driver& driver, CUdevice device) {
  unsigned flags = 0;
  int active = 0;
  return driver.primary_get_state && driver.primary_get_state(device, &flags, &active) == CUDA_SUCCESS && active;
}

PreviousContext::PreviousContext(const Driver& driver, CUcontext ours)
    : get_(driver.ctx_get_current), set_(driver.ctx_set_current), ours_(ours) {
  get_(&previous_);
}

PreviousContext::~PreviousContext() {
  CUcontext now = nullptr;
  if (get_(&now) == CUDA_SUCCESS && now == ours_) set_(previous_);
}

std::shared_ptr<const PreviousContext> PreviousContext::before(const Driver& driver, CUcontext ours) {
  thread_local std::map<CUcontext, std::weak_ptr<const PreviousContext>> living;
  auto previous = living[ours].lock();
  if (!previous) living[ours] = previous = std::make_shared<const PreviousContext>(driver, ours);
  return previous;
}

Context::Context(const Driver& driver, CUdevice device) : driver_(driver), device_(device) {
  refuse_unusable(driver_, device_);
  driver_.primary_set_flags(device_, CU_CTX_SCHED_SPIN);  // refused where a runtime was first: read back, recorded
  const CUresult r = driver_.primary_retain(&context_, device_);
  if (r == CUDA_ERROR_DEVICE_UNAVAILABLE)
    throw Error(ErrorCode::failed, kUnusable, "another process holds it (compute mode 'exclusive process')",
                "Wait for that process, or see 'nvidia-smi -q -d COMPUTE'.");
  if (r == CUDA_ERROR_SYSTEM_NOT_READY) refuse_not_ready(kUnusable);
  check(driver_, r, kUnusable);
  previous_ = PreviousContext::before(driver_, context_);
  use_on_this_thread();
}

Context::~Context() {
  previous_.reset();
  driver_.primary_release(device_);
}

void Context::use_on_this_thread() const {
  check(driver_, driver_.ctx_set_current(context_), kUnusable);
}

bool Context::owns(CUstream stream) const {
  CUcontext owner = nullptr;
  return !driver_.stream_get_ctx || driver_.stream_get_ctx(stream, &owner) != CUDA_SUCCESS || owner == context_;
}

std::string Context::wait() const {
  unsigned flags = 0;
  if (driver_.ctx_get_flags(&flags) != CUDA_SUCCESS) return "unknown";
  switch (flags & CU_CTX_SCHED_MASK) {
    case CU_CTX_SCHED_SPIN:
      return "spin";
    case CU_CTX_SCHED_YIELD:
      return "yield";
    case CU_CTX_SCHED_BLOCKING_SYNC:
      return "blocking";
    default:
      return "auto";
  }
}

}  // namespace strobe::cuda
