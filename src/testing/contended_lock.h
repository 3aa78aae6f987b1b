// SPDX-License-Identifier: Apache-2.0
// A lock that another thread always has when it is to be taken again, as the GIL of a busy program: waiting for it is
// no time of a request.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include <strobe/workload.h>

#include "device/clock.h"
#include "device/host_lock.h"

namespace strobe::testing {

class ContendedLock final : public HostLock {
 public:
  explicit ContendedLock(Clock& clock, nanoseconds wait = 1ms) : clock_(clock), wait_(wait) {}

  void give() override { held_ = false; }
  void take() override {
    if (std::exchange(held_, true)) return;
    if (on_take) on_take();
    clock_.sleep(wait_);
  }

  std::function<void()> on_take;

 private:
  Clock& clock_;
  nanoseconds wait_;
  bool held_ = true;
};

// Work whose submission needs the lock.
class LockedWork final : public Workload {
 public:
  explicit LockedWork(std::unique_ptr<Workload> work) : work_(std::move(work)) {}

  void submit(std::size_t request) override {
    take_host_lock();
    work_->submit(request);
  }
  Stream& stream() override { return work_->stream(); }

 private:
  std::unique_ptr<Workload> work_;
};

}  // namespace strobe::testing
