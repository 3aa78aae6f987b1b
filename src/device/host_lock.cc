// SPDX-License-Identifier: Apache-2.0
#include "device/host_lock.h"

#include <utility>

namespace strobe {
namespace {

// Of the thread and not of a stream or device: studies open those themselves, and more than one.
thread_local HostLock* lent = nullptr;

}  // namespace

LendWhileWaiting::LendWhileWaiting(HostLock& lock) : before_(std::exchange(lent, &lock)) {}

LendWhileWaiting::~LendWhileWaiting() {
  take_host_lock();
  lent = before_;
}

void give_host_lock() {
  if (lent) lent->give();
}

void take_host_lock() {
  if (lent) lent->take();
}

}  // namespace strobe
