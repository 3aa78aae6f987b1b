// SPDX-License-Identifier: Apache-2.0
#include "study/search/loads.h"

#include <algorithm>

#include <fmt/format.h>

#include <strobe/error.h>

namespace strobe {
namespace {

// Work that is tried in this process has no runtime.
bool own_streams(const ThroughputPlan& o) {
  return !o.here && runtime_traits(o.open).own_streams;
}

// Half and twice as many streams are tried beside what the runtime thinks best, and one; and twice as many requests, so
// that the next one is there when one ends.
void look_around(const ThroughputPlan& o, const TrialPoint& best, Loads& loads) {
  for (const std::size_t n : {best.streams / 2, 2 * best.streams, std::size_t{1}}) {
    if (n > 0 && std::find(loads.streams.begin(), loads.streams.end(), n) == loads.streams.end())
      loads.streams.push_back(n);
  }
  if (o.in_flight.empty() && !o.bound()) loads.in_flight.push_back(2 * best.in_flight);
}

}  // namespace

// Fewer requests in flight answer sooner: a bound asks for all of them, the highest rate alone only for enough, which a
// runtime with streams of its own knows itself.
Loads first_loads(const ThroughputPlan& o) {
  if (o.streams.empty() && !own_streams(o))
    throw Error(ErrorCode::usage, fmt::format("cannot use --streams auto with {}", runtime_of(o.open)),
                "it has no streams of its own: each is a session", "Name how many, for example --streams 1,2,4.");
  Loads loads{o.streams, o.in_flight};
  if (loads.streams.empty()) loads.streams = {0};
  if (!loads.in_flight.empty()) return loads;
  if (o.bound())
    loads.in_flight = {1, 2, 4};
  else
    loads.in_flight = {own_streams(o) ? std::size_t{0} : std::size_t{4}};
  return loads;
}

void settle_loads(const ThroughputPlan& o, const TrialPoint& first, bool asynchronous, Loads& loads) {
  if (!own_streams(o)) {
    if (!asynchronous) loads.in_flight = {1};
    return;
  }
  loads.streams.front() = first.streams;
  loads.in_flight.front() = first.in_flight;
  if (o.streams.empty()) look_around(o, first, loads);
}

}  // namespace strobe
