// SPDX-License-Identifier: Apache-2.0
#include "trace/activity.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/intervals.h"

namespace strobe::trace {
namespace {

using List = std::vector<Interval>;

List clipped(List xs, Interval within) {
  for (Interval& x : xs) x = {std::max(x.begin, within.begin), std::min(x.end, within.end)};
  return unite(std::move(xs));
}

struct Lanes {
  List busy, kernels, copies, queued, waiting;
};

Lanes lanes_of(const RequestTrace& t) {
  Lanes l;
  for (const DeviceWork& w : t.work) {
    (w.kind == DeviceWork::Kind::kernel ? l.kernels : l.copies).push_back(w.when);
    l.busy.push_back(w.when);
    l.queued.push_back({w.queued, w.when.begin});
  }
  for (const HostCall& c : t.calls) {
    if (c.kind == HostCall::Kind::wait) l.waiting.push_back(c.when);
  }
  for (List* list : {&l.busy, &l.kernels, &l.copies, &l.queued, &l.waiting})
    *list = clipped(std::move(*list), t.window());
  return l;
}

List without(const List& xs, const List& others) {
  List left;
  for (const Interval& x : xs) {
    const List rest = gaps(others, x);
    left.insert(left.end(), rest.begin(), rest.end());
  }
  return left;
}

struct IdleTimes {
  List starved, drained, pipeline;
};

// Why the device idles: what is queued explains it before what the host does.
IdleTimes explained(const Lanes& l, Interval window) {
  const List idle = gaps(l.busy, window), empty = without(idle, l.queued);
  return {
      .starved = without(empty, l.waiting), .drained = common(empty, l.waiting), .pipeline = common(idle, l.queued)};
}

void compare_host_and_device(const Lanes& l, Activity& a, Interval window) {
  const List working = gaps(l.waiting, window);  // the host
  a.both = length_of(common(working, l.busy));
  a.host_only = length_of(working) - a.both;
  a.device_only = a.busy - a.both;
  a.neither = a.window - a.both - a.host_only - a.device_only;
}

}  // namespace

Activity activity_of(const RequestTrace& t) {
  const Lanes l = lanes_of(t);
  Activity a;
  a.window = t.length;
  a.busy = length_of(l.busy);
  a.kernel_busy = length_of(l.kernels);
  a.copy_busy = length_of(l.copies);
  a.copies_beside_kernels = length_of(common(l.kernels, l.copies));
  std::set<nanoseconds> submitted;  // a thread makes one call at a time
  for (const DeviceWork& w : t.work) {
    a.work += w.when.length();
    ++(w.kind == DeviceWork::Kind::kernel ? a.kernels : a.copies);
    submitted.insert(w.submitted);
  }
  a.calls = submitted.size();
  const IdleTimes idle = explained(l, t.window());
  a.starved = length_of(idle.starved);
  a.drained = length_of(idle.drained);
  a.pipeline = length_of(idle.pipeline);
  compare_host_and_device(l, a, t.window());
  return a;
}

std::vector<Idle> idle_of(const RequestTrace& t) {
  const IdleTimes times = explained(lanes_of(t), t.window());
  std::vector<Idle> all;
  for (const auto& [reason, list] :
       {std::pair(IdleReason::starved, &times.starved), std::pair(IdleReason::drained, &times.drained),
        std::pair(IdleReason::pipeline, &times.pipeline)}) {
    for (const Interval& when : *list) all.push_back({reason, when});
  }
  std::sort(all.begin(), all.end(), [](const Idle& a, const Idle& b) { return a.when.begin < b.when.begin; });
  return all;
}

}  // namespace strobe::trace
