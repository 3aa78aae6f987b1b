// SPDX-License-Identifier: Apache-2.0
#include "measure/profile_requests.h"

#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>

#include "device/device.h"

namespace strobe {
namespace {

constexpr std::size_t kFewestProfiled = 10, kMostProfiled = 200, kFewestToWarm = 3;

class Profiler {
 public:
  Profiler(Workload& workload, const ProfileLength& length, Conductor& conductor)
      : profiling_(workload.profile()),
        workload_(profiling_.profiled ? profiling_.profiled->workload() : workload),
        device_(workload_.stream().device()),
        length_(length),
        conductor_(conductor) {}

  ProfiledRequests run() {
    warm_up();
    const Tracing tracing = device_.can().asynchronous ? device_.tracer() : Tracing{};
    const std::size_t wanted = length_.requests.value_or(fitting(length_.length, kFewestProfiled));
    const std::clock_t spent = std::clock();
    for (std::size_t i = 0; i < wanted && go_on(); ++i) windows_.push_back(request());
    if (!windows_.empty() && !device_.can().asynchronous) tell_threads(std::clock() - spent);
    if (tracing.tracer) trace_ = tracing.tracer->take();
    if (device_.can().asynchronous) done_.why_no_trace = tracing.why_not;
    for (const Interval& w : windows_) done_.requests.push_back({.length = w.length()});
    place_layers();
    place_trace();
    return std::move(done_);
  }

 private:
  Interval request() {
    const nanoseconds begin = device_.clock().now();
    workload_.submit(made_++);
    workload_.stream().synchronize();
    return {begin, device_.clock().now()};
  }

  // `spent`: by all threads of the process.
  void tell_threads(std::clock_t spent) {
    const double wall = to_double(windows_.back().end - windows_.front().begin);
    const double cpu = 1e9 * static_cast<double>(spent) / CLOCKS_PER_SEC;
    if (wall > 0 && spent >= 0) done_.threads_busy = cpu / wall;
  }

  bool go_on() {
    done_.stopped = conductor_.stopped();
    return !done_.stopped;
  }

  std::size_t fitting(nanoseconds time, std::size_t least) const {
    const nanoseconds typical = std::max(typical_, nanoseconds(1));
    return std::clamp(static_cast<std::size_t>(time / typical), least, kMostProfiled);
  }

  void warm_up() {
    const nanoseconds begin = device_.clock().now();
    done_.first = request().length();
    typical_ = request().length();
    while (made_ < std::max(kFewestToWarm, fitting(length_.soak, 0)) && go_on())
      typical_ = std::min(typical_, request().length());
    done_.warmup = made_;
    done_.warmup_time = device_.clock().now() - begin;
  }

  // A profiler with a clock of its own saw a part of what the caller saw: in its middle, as far as anybody knows.
  void place_layers() {
    done_.why_no_layers = profiling_.why_not;
    if (!profiling_.profiled) return;
    done_.profiler = profiling_.profiled->about();
    const std::vector<ProfiledRequest> seen = profiling_.profiled->take();
    if (seen.size() != made_) {
      done_.why_no_layers = "its profiler recorded another number of requests than were made";
      return;
    }
    for (std::size_t i = 0; i < windows_.size(); ++i) {
      const ProfiledRequest& p = seen[done_.warmup + i];
      const nanoseconds from = p.length > 0ns ? (windows_[i].length() - p.length) / 2 : 0ns;
      for (const LayerCall& c : p.layers)
        done_.requests[i].layers.push_back({c.name, c.type, c.where, {from + c.begin, from + c.end}});
    }
  }

  // Requests do not overlap: what was handed over within one belongs to it.
  void place_trace() {
    for (const trace::HostCall& c : trace_.calls) {
      const auto i = request_at(c.when.begin);
      if (i) done_.requests[*i].calls.push_back({c.kind, since(*i, c.when)});
    }
    for (trace::DeviceWork& w : trace_.work) {
      const auto i = request_at(w.submitted);
      if (!i) continue;
      w.when = since(*i, w.when);
      w.submitted -= windows_[*i].begin;
      w.queued -= windows_[*i].begin;
      done_.requests[*i].work.push_back(std::move(w));
    }
  }

  std::optional<std::size_t> request_at(nanoseconds time) const {
    const auto ends_before = [](const Interval& w, nanoseconds t) { return w.end <= t; };
    const auto window = std::lower_bound(windows_.begin(), windows_.end(), time, ends_before);
    if (window == windows_.end() || time < window->begin) return std::nullopt;
    return static_cast<std::size_t>(window - windows_.begin());
  }

  Interval since(std::size_t request, Interval when) const {
    const nanoseconds begin = windows_[request].begin;
    return {when.begin - begin, when.end - begin};
  }

  Profiling profiling_;
  Workload& workload_;
  Device& device_;
  const ProfileLength& length_;
  Conductor& conductor_;
  std::size_t made_ = 0;
  nanoseconds typical_{};
  std::vector<Interval> windows_;
  DeviceTrace trace_;
  ProfiledRequests done_;
};

}  // namespace

ProfiledRequests profile_requests(Workload& workload, const ProfileLength& length, Conductor& conductor) {
  return Profiler(workload, length, conductor).run();
}

}  // namespace strobe
