// SPDX-License-Identifier: Apache-2.0
#include "trace/divide.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace strobe::trace {
namespace {

struct Edge {
  nanoseconds at;
  bool begins;
  std::size_t stretch;
};

Interval clipped(Interval x, Interval within) {
  return {std::max(x.begin, within.begin), std::min(x.end, within.end)};
}

std::vector<Edge> edges_of(std::span<const Interval> stretches, Interval within) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const Interval x = clipped(stretches[i], within);
    if (x.length() == nanoseconds{}) continue;
    edges.push_back({x.begin, true, i});
    edges.push_back({x.end, false, i});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
  return edges;
}

}  // namespace

std::vector<nanoseconds> divide(std::span<const Interval> stretches, Interval within, Keeper keeper) {
  std::vector<nanoseconds> kept(stretches.size());
  std::set<std::pair<nanoseconds, std::size_t>> running;  // by their begin
  nanoseconds from{};
  for (const Edge& e : edges_of(stretches, within)) {
    if (!running.empty()) {
      const std::size_t owner = keeper == Keeper::last_begun ? running.rbegin()->second : running.begin()->second;
      kept[owner] += e.at - from;
    }
    from = e.at;
    const std::pair key(stretches[e.stretch].begin, e.stretch);
    if (e.begins)
      running.insert(key);
    else
      running.erase(key);
  }
  return kept;
}

}  // namespace strobe::trace
