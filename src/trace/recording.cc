// SPDX-License-Identifier: Apache-2.0
#include "trace/recording.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace strobe::trace {
namespace {

nanoseconds half_width(const ClockReading& r) {
  return (r.after - r.before) / 2;
}

// What is added to the tracer's time.
nanoseconds offset(const ClockReading& r) {
  return r.before + half_width(r) - r.tracer;
}

nanoseconds offset_of(const Recording& r) {
  if (r.clock.empty()) return 0ns;
  return (offset(r.clock.front()) + offset(r.clock.back())) / 2;
}

Interval shifted(Interval i, nanoseconds by) {
  return {i.begin + by, i.end + by};
}

bool is_timed(const RecordedWork& w) {
  return w.when.begin > 0ns && w.when.end >= w.when.begin;
}

// The outermost of those that have the same number.
std::map<std::uint64_t, Interval> calls_by_number(const Recording& r) {
  std::map<std::uint64_t, Interval> calls;
  for (const RecordedCall& c : r.calls) {
    if (c.kind != HostCall::Kind::submit) continue;
    const auto [call, added] = calls.try_emplace(c.number, c.when);
    if (added) continue;
    call->second = {std::min(call->second.begin, c.when.begin), std::max(call->second.end, c.when.end)};
  }
  return calls;
}

template <class T>
void sort_by_time(std::vector<T>& xs) {
  std::stable_sort(xs.begin(), xs.end(), [](const T& a, const T& b) { return a.when.begin < b.when.begin; });
}

// In the order of each stream: what another does meanwhile may come earlier or later.
std::vector<std::string> kernels_of(const RequestTrace& t) {
  std::map<std::uint64_t, std::vector<std::string>> streams;
  for (const DeviceWork& w : t.work) streams[w.stream].push_back(w.name);
  std::vector<std::string> names;
  for (const auto& [stream, in_order] : streams) names.insert(names.end(), in_order.begin(), in_order.end());
  return names;
}

std::string difference_between(const std::vector<std::string>& usual, const std::vector<std::string>& other) {
  if (usual.size() != other.size()) return fmt::format("{} pieces of work instead of {}", other.size(), usual.size());
  const auto [a, b] = std::mismatch(usual.begin(), usual.end(), other.begin());
  return fmt::format("number {} is {} instead of {}", a - usual.begin() + 1, *b, *a);
}

std::optional<std::size_t> window_at(std::span<const Interval> windows, nanoseconds time) {
  const auto ends_before = [](const Interval& w, nanoseconds t) { return w.end <= t; };
  const auto window = std::lower_bound(windows.begin(), windows.end(), time, ends_before);
  if (window == windows.end() || time < window->begin) return std::nullopt;
  return static_cast<std::size_t>(window - windows.begin());
}

}  // namespace

nanoseconds clock_error(const Recording& r) {
  if (r.clock.empty()) return 0ns;
  const nanoseconds change = offset(r.clock.back()) - offset(r.clock.front());
  return std::max(half_width(r.clock.front()), half_width(r.clock.back())) + (change < 0ns ? -change : change) / 2;
}

Joined join(const Recording& r) {
  Joined out;
  const nanoseconds by = offset_of(r);
  const std::map<std::uint64_t, Interval> calls = calls_by_number(r);
  for (const RecordedWork& w : r.work) {
    const auto call = calls.find(w.number);
    if (!is_timed(w)) {
      ++out.untimed;
    } else if (call == calls.end()) {
      ++out.without_call;
    } else {
      const nanoseconds before = call->second.begin - w.when.begin;
      out.early += before > 0ns;
      out.earliest = std::max(out.earliest, before);
      out.work.push_back(
          {w.kind, w.name, call->second.begin + by, call->second.end + by, shifted(w.when, by), w.stream});
    }
  }
  for (const auto& [number, when] : calls) {
    if (when.length() > 0ns) out.calls.push_back({HostCall::Kind::submit, shifted(when, by)});
  }
  for (const RecordedCall& c : r.calls) {
    if (c.kind == HostCall::Kind::wait) out.calls.push_back({c.kind, shifted(c.when, by)});
  }
  sort_by_time(out.calls);
  sort_by_time(out.work);
  return out;
}

std::vector<RequestTrace> place(const Joined& all, std::span<const Interval> windows) {
  std::vector<RequestTrace> requests;
  for (const Interval& w : windows) requests.push_back({.length = w.length()});
  for (const HostCall& c : all.calls) {
    const auto i = window_at(windows, c.when.begin);
    if (i) requests[*i].calls.push_back({c.kind, shifted(c.when, -windows[*i].begin)});
  }
  for (DeviceWork w : all.work) {
    const auto i = window_at(windows, w.submitted);
    if (!i) continue;
    w.when = shifted(w.when, -windows[*i].begin);
    w.submitted -= windows[*i].begin;
    w.queued -= windows[*i].begin;
    requests[*i].work.push_back(std::move(w));
  }
  return requests;
}

KernelLists compare_kernel_lists(const std::vector<RequestTrace>& requests) {
  std::map<std::vector<std::string>, std::size_t> lists;
  for (const RequestTrace& t : requests) ++lists[kernels_of(t)];
  if (lists.size() < 2) return {};
  const auto usual =
      std::max_element(lists.begin(), lists.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  KernelLists out{.differing = requests.size() - usual->second};
  for (const RequestTrace& t : requests) {
    const std::vector<std::string> list = kernels_of(t);
    if (list == usual->first) continue;
    out.first_difference = difference_between(usual->first, list);
    break;
  }
  return out;
}

}  // namespace strobe::trace
