// SPDX-License-Identifier: Apache-2.0
#include "measure/profile_requests.h"

#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>

#include <strobe/error.h>

#include "device/device.h"
#include "measure/trace_excess.h"

namespace strobe {
namespace {

constexpr std::size_t kFewestProfiled = 10, kMostProfiled = 200, kFewestToWarm = 3;
constexpr nanoseconds kRounding = 1us;  // of a profiler's clock

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
    const bool asynchronous = static_cast<bool>(device_.can().asynchronous);
    Tracing tracing = asynchronous ? device_.tracer() : Tracing{};
    if (tracing.tracer) done_.trace.excess_ns = trace_excess(device_, *tracing.tracer);
    const std::size_t wanted = length_.requests.value_or(fitting(length_.length, kFewestProfiled));
    const std::clock_t spent = std::clock();
    for (std::size_t i = 0; i < wanted && go_on(); ++i) {
      windows_.push_back(request());
      submits_.push_back(submitted_ - windows_.back().begin);
    }
    if (!windows_.empty() && !asynchronous) tell_threads(std::clock() - spent);
    if (asynchronous) take_trace(tracing);
    done_.requests = trace::place(joined_, windows_);
    place_layers();
    keep_recording();
    return std::move(done_);
  }

 private:
  Interval request() {
    const nanoseconds begin = device_.clock().now();
    workload_.submit(made_++);
    submitted_ = device_.clock().now();
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

  void take_trace(const Tracing& tracing) {
    done_.why_no_trace = tracing.why_not;
    done_.trace.held_by = tracing.held_by;
    if (!tracing.tracer) return;
    try {
      done_.recording.recording = tracing.tracer->take();
    } catch (const Error& e) {
      done_.why_no_trace = e.what();
      return;
    }
    const trace::Recording& r = done_.recording.recording;
    joined_ = trace::join(r);
    done_.trace.tracer = r.source;
    done_.trace.records = r.work.size() + r.dropped;
    done_.trace.lost = r.dropped + joined_.untimed + joined_.without_call;
    done_.trace.early = joined_.early;
    done_.trace.earliest_ns = to_double(joined_.earliest);
    done_.trace.clock_ns = to_double(trace::clock_error(r));
  }

  // A profiler with a clock of its own saw a part of what the caller saw. Where it does not say when, it was in the
  // middle, as far as anybody knows: of the whole request, or of handing it over where the device works by itself.
  nanoseconds begin_of(const ProfiledRequest& p, std::size_t request) const {
    if (p.length == 0ns) return 0ns;
    const Interval& window = windows_[request];
    if (p.at && *p.at >= window.begin - kRounding && *p.at + p.length <= window.end) return *p.at - window.begin;
    const nanoseconds within = device_.can().asynchronous ? submits_[request] : window.length();
    return std::max(0ns, within - p.length) / 2;
  }

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
      const nanoseconds from = begin_of(p, i);
      for (const LayerCall& c : p.layers)
        done_.requests[i].layers.push_back({c.name, c.type, c.where, {from + c.begin, from + c.end}});
    }
  }

  void keep_recording() {
    const trace::KernelLists lists = trace::compare_kernel_lists(done_.requests);
    done_.trace.differing_requests = lists.differing;
    done_.trace.first_difference = lists.first_difference;
    done_.recording.windows = windows_;
    for (const trace::RequestTrace& t : done_.requests) done_.recording.layers.push_back(t.layers);
  }

  Profiling profiling_;
  Workload& workload_;
  Device& device_;
  const ProfileLength& length_;
  Conductor& conductor_;
  std::size_t made_ = 0;
  nanoseconds typical_{};
  std::vector<Interval> windows_;     // of the requests that count, and …
  std::vector<nanoseconds> submits_;  // … how long the host handed each over
  nanoseconds submitted_{};
  trace::Joined joined_;
  ProfiledRequests done_;
};

}  // namespace

ProfiledRequests profile_requests(Workload& workload, const ProfileLength& length, Conductor& conductor) {
  return Profiler(workload, length, conductor).run();
}

}  // namespace strobe
