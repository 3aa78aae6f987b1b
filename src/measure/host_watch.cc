// SPDX-License-Identifier: Apache-2.0
#include "measure/host_watch.h"

#include <algorithm>
#include <iterator>

namespace strobe {

void HostWatch::look(nanoseconds at) {
  Look look{.at = at, .counters = read_counters()};
  if (looks_.empty() || look.counters.loads != looks_.back().counters.loads) {
    std::vector<std::string> now = loaded_libraries();
    std::sort(now.begin(), now.end());
    std::set_difference(now.begin(), now.end(), known_.begin(), known_.end(), std::back_inserter(look.loaded));
    known_ = std::move(now);
  }
  looks_.push_back(std::move(look));
}

// What happened before the cut is warm-up: better a round too few than one too many, but for a window of one round.
std::size_t HostWatch::first_of(nanoseconds cut) const {
  const auto inside = std::find_if(looks_.begin(), looks_.end(), [&](const Look& l) { return l.at >= cut; });
  const auto first = static_cast<std::size_t>(inside - looks_.begin());
  return first + 1 < looks_.size() ? first : looks_.size() - 2;
}

std::optional<Disturbances> HostWatch::since(nanoseconds cut) const {
  if (looks_.size() < 2) return std::nullopt;
  const std::size_t first = first_of(cut);
  const Look &a = looks_[first], &b = looks_.back();
  Disturbances d;
  d.watched_ns = to_double(b.at - a.at);
  d.loads = b.counters.loads - a.counters.loads;
  for (std::size_t i = first + 1; i < looks_.size(); ++i)
    d.libraries.insert(d.libraries.end(), looks_[i].loaded.begin(), looks_[i].loaded.end());
  d.major_faults = b.counters.major_faults - a.counters.major_faults;
  d.switches = b.counters.switches - a.counters.switches;
  d.preemptions = b.counters.preemptions - a.counters.preemptions;
  if (a.counters.waited && b.counters.waited) d.waited_ns = to_double(*b.counters.waited - *a.counters.waited);
  if (a.counters.throttled && b.counters.throttled)
    d.throttled_ns = to_double(*b.counters.throttled - *a.counters.throttled);
  return d;
}

std::vector<std::pair<nanoseconds, nanoseconds>> HostWatch::loading(nanoseconds cut) const {
  std::vector<std::pair<nanoseconds, nanoseconds>> spans;
  if (looks_.size() < 2) return spans;
  for (std::size_t i = first_of(cut) + 1; i < looks_.size(); ++i) {
    if (looks_[i].counters.loads != looks_[i - 1].counters.loads) spans.emplace_back(looks_[i - 1].at, looks_[i].at);
  }
  return spans;
}

}  // namespace strobe
