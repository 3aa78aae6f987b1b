// SPDX-License-Identifier: Apache-2.0
#include "measure/one_pass.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "device/profiler_window.h"
#include "host/nvtx.h"
#include "measure/passes.h"
#include "measure/placement.h"
#include "measure/waiting.h"
#include "record/metric_names.h"

namespace strobe {
namespace {

constexpr nanoseconds kSoakOfOnePass = 300ms;
constexpr std::size_t kLaterLaunch = 2;  // what only the first of several looks at is not looked at
constexpr const char* kNoGate = "one pass was measured, for a profiler";

struct OnePass {
  Pass eager;
  std::optional<Pass> replayed;  // the same of a graph
};
constexpr std::array kOnePasses{OnePass{kLatencyPass, kReplayLatencyPass}, OnePass{kSpanPass, std::nullopt},
                                OnePass{kPeriodPass, kReplayPeriodPass}};

Pass pass_of(const Options& o, const Device& device) {
  const std::string what = fmt::format("cannot measure the pass '{}'", o.pass);
  const auto row =
      std::find_if(kOnePasses.begin(), kOnePasses.end(), [&](const OnePass& p) { return p.eager.metric == o.pass; });
  if (row == kOnePasses.end()) throw Error(ErrorCode::usage, what, "there is none of this name");
  if (const Capability queue = device.can().asynchronous; !queue && o.pass != metric::latency)
    throw Error(ErrorCode::unsupported, what, queue.why_not, "Take --pass latency.");
  if (o.graph && !row->replayed) throw Error(ErrorCode::usage, what + " of a graph", {}, "Take --pass latency.");
  return o.graph ? *row->replayed : row->eager;
}

class OnePassRun {
 public:
  OnePassRun(Workload& workload, const Options& options)
      : workload_(workload), options_(options), device_(workload.stream().device()), conductor_(options.stop) {}

  Measurement run(const PinRule& pin) {
    const Pass pass = pass_of(options_, device_);
    m_ = begin_measurement(workload_, std::make_shared<Surroundings>(device_, Surroundings::Watch::nothing),
                           kLaterLaunch);
    m_.gate.why_not = kNoGate;
    first_requests();
    Workload& measured = options_.graph ? captured() : workload_;
    m_.passes.push_back({pass, &measured, m_.probe.typical, {}});
    const Placement place(pin, device_, *m_.around);
    if (!options_.warmup) soak();
    m_.cut = now();
    m_.requests_before_cut = request_;
    count();
    m_.end = now();
    if (conductor_.stopped()) m_.status = Status::interrupted;
    return std::move(m_);
  }

 private:
  nanoseconds now() const { return device_.clock().now() - m_.begun; }

  void first_requests() {
    const nvtx::Range range(nvtx::name::kWarmUp);
    report_first_request(options_.progress);
    const std::size_t most = options_.warmup ? std::max<std::size_t>(1, *options_.warmup) : SIZE_MAX;
    m_.probe = probe(workload_, most, request_, conductor_);
    m_.probe.requests_per_sample = 1;  // a profiler is asked about requests, however short they are
    while (options_.warmup && request_ < *options_.warmup && !conductor_.stopped()) workload_.submit(request_++);
    workload_.stream().synchronize();
  }

  Workload& captured() {
    Replay replay = workload_.replay();
    if (!replay.workload) throw Error(ErrorCode::unsupported, "cannot measure a graph", replay.why_not);
    m_.replay = std::move(replay.workload);
    return *m_.replay;
  }

  void soak() {
    const nvtx::Range range(nvtx::name::kSoak);
    SegmentPlan plan = plan_of(kShortestSoakRequests, SIZE_MAX);
    plan.length = kSoakOfOnePass;
    Samples before;
    segment(plan, before);
  }

  void count() {
    const std::size_t requests = options_.requests.value_or(kRequestsOfOnePass);
    const ProfilerWindow window(device_);
    const nvtx::Range range(m_.passes.front().pass.metric);
    segment(plan_of(requests, requests), m_.passes.front().samples);
  }

  SegmentPlan plan_of(std::size_t least, std::size_t most) const {
    SegmentPlan p;
    p.origin = m_.begun;
    p.settle_requests = 0;
    p.least = least;
    p.most = most;
    p.in_flight = std::max<std::size_t>(1, options_.in_flight);
    p.typical = m_.probe.typical;
    return p;
  }

  void segment(const SegmentPlan& plan, Samples& samples) {
    PassSamples& p = m_.passes.front();
    const nanoseconds begin = now();
    const SegmentResult r = run_segment(*p.workload, p.pass, plan, conductor_, request_, samples);
    if (r.full.requests > 0) p.windows.push_back({begin, r.full});
  }

  static constexpr std::size_t kShortestSoakRequests = 3;

  Workload& workload_;
  const Options& options_;
  Device& device_;
  LocalConductor conductor_;
  Measurement m_;
  std::size_t request_ = 0;
};

}  // namespace

Measurement measure_one_pass(Workload& workload, const Options& options, const PinRule& pin) {
  return OnePassRun(workload, options).run(pin);
}

}  // namespace strobe
