// SPDX-License-Identifier: Apache-2.0
#include "measure/warm_up_floor.h"

namespace strobe {
namespace {

constexpr std::size_t kFloorRequests = 10, kFloorSlowRequests = 3;
constexpr nanoseconds kSlowToWarm = 1s;

}  // namespace

WarmUpFloor::WarmUpFloor(const Probe& p, const TimeBudget& budget)
    : time_(std::min(kFloorTime, budget.whole() / 4)),
      latest_(budget.limited() ? budget.whole() / 2 : nanoseconds::max()),
      requests_(p.typical > kSlowToWarm ? kFloorSlowRequests : kFloorRequests),
      probed_(p.requests) {}

nanoseconds WarmUpFloor::end(const Samples& samples) const {
  nanoseconds cut = time_;
  std::size_t missing = requests_ - std::min(requests_, probed_);
  for (const Sample& s : samples) {
    if (missing == 0) break;
    if (missing <= s.requests) cut = std::max(cut, s.done);
    missing -= std::min<std::size_t>(missing, s.requests);
  }
  return std::min(cut, latest_);
}

}  // namespace strobe
