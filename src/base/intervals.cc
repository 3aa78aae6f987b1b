// SPDX-License-Identifier: Apache-2.0
#include "base/intervals.h"

#include <algorithm>

namespace strobe {

std::vector<Interval> unite(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& i) { return i.length() == nanoseconds{}; });
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  std::vector<Interval> list;
  for (const Interval& i : intervals) {
    if (!list.empty() && i.begin <= list.back().end)
      list.back().end = std::max(list.back().end, i.end);
    else
      list.push_back(i);
  }
  return list;
}

nanoseconds length_of(std::span<const Interval> list) {
  nanoseconds sum{};
  for (const Interval& i : list) sum += i.length();
  return sum;
}

std::vector<Interval> gaps(std::span<const Interval> list, Interval within) {
  std::vector<Interval> free;
  nanoseconds from = within.begin;
  for (const Interval& i : list) {
    const Interval gap{from, std::min(i.begin, within.end)};
    if (gap.length() > nanoseconds{}) free.push_back(gap);
    from = std::max(from, i.end);
  }
  if (from < within.end) free.push_back({from, within.end});
  return free;
}

std::vector<Interval> common(std::span<const Interval> a, std::span<const Interval> b) {
  std::vector<Interval> both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Interval meet{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (meet.length() > nanoseconds{}) both.push_back(meet);
    a[i].end < b[j].end ? ++i : ++j;
  }
  return both;
}

}  // namespace strobe
