// SPDX-License-Identifier: Apache-2.0
// A kernel that runs for a known length and stores when the device's own timer saw it begin and end: the truth that
// readings are held against.
#pragma once

#include <functional>

#include <strobe/workload.h>

#include "base/units.h"

namespace strobe {

class TrueKernel {
 public:
  virtual ~TrueKernel() = default;

  virtual Stream& stream() = 0;  // where it is launched
  virtual void launch(nanoseconds length) = 0;
  virtual void launch_empty() = 0;
  // As a graph that is on the device already: each call launches it.
  virtual std::function<void()> captured(nanoseconds length) = 0;
  // What the last one that has ended stored, in ns.
  virtual double truth() = 0;
};

}  // namespace strobe
