// SPDX-License-Identifier: Apache-2.0
// A table of CUPTI's functions without CUPTI: it writes records of what the fake driver (fake_cuda.h) is asked to do,
// on a device that takes real time for it. Make the driver first: the table listens to it.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "base/units.h"
#include "device/cuda/cupti.h"

namespace strobe::testing {

// What goes wrong, and what it was asked for. One at a time: reset by making a table.
struct FakeCupti {
  cuda::CuptiResult enable = cuda::CuptiResult::success;
  cuda::CuptiResult timestamp = cuda::CuptiResult::success;
  std::string holder = {};     // who has the subscription
  std::size_t drop = 0;        // of the next records of kernels: so many are lost
  std::size_t untimed = 0;     // so many have neither begin nor end
  nanoseconds early{};         // kernels begin this much before their call
  nanoseconds step{};          // that its clock was set by since
  nanoseconds excess = 700ns;  // that each kernel reads too long
  std::uint32_t device = 0;    // whose work it is
  bool reversed = false;       // records come in the wrong order
  std::set<cuda::CuptiKind> kinds = {};
  int flushes = 0, subscribed = 0;
};

FakeCupti& fake_cupti();
cuda::Cupti fake_cupti_table();

}  // namespace strobe::testing
