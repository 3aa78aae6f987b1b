// SPDX-License-Identifier: Apache-2.0
#include "trace/activity.h"

#include <algorithm>
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

// Why the device idles: what is queued explains it before what the host does.
void explain_idle(const Lanes& l, Activity& a, Interval window) {
  const List idle = gaps(l.busy, window);
  a.pipeline = length_of(common(idle, l.queued));
  List empty;  // idle, and nothing is queued
  for (const Interval& gap : idle) {
    const List rest = gaps(l.queued, gap);
    empty.insert(empty.end(), rest.begin(), rest.end());
  }
  a.drained = length_of(common(empty, l.waiting));
  a.starved = length_of(empty) - a.drained;
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
  for (const DeviceWork& w : t.work) {
    a.work += w.when.length();
    ++(w.kind == DeviceWork::Kind::kernel ? a.kernels : a.copies);
  }
  explain_idle(l, a, t.window());
  compare_host_and_device(l, a, t.window());
  return a;
}

}  // namespace strobe::trace
