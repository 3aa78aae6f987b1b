// SPDX-License-Identifier: Apache-2.0
#include "study/launches.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "base/format.h"
#include "base/units.h"
#include "device/clock.h"
#include "host/facts.h"
#include "measure/launch_length.h"
#include "record/metric_names.h"
#include "study/merge_launches.h"
#include "study/worker.h"
#include "study/worker_options.h"
#include "verdict/judge.h"
#include "workload/model_files.h"

namespace strobe {
namespace {

constexpr std::size_t kFewestLaunches = 3, kLaunchesForLevels = 5;  // with fewer, levels may be missed
constexpr std::size_t kFewestRequests = 20;
constexpr nanoseconds kShortestLaunch = 600ms;  // of --max-time, after its load
constexpr nanoseconds kStartOfProcess = 200ms;
constexpr nanoseconds kFirstPatience = 30min;  // beside the time asked for: nobody knows how long a load takes
constexpr nanoseconds kLeastPatience = 2min;

// How long another one like this would take.
nanoseconds cost_of_another(const Record& r) {
  return kStartOfProcess +
         to_nanoseconds(r.startup.load_ns.value_or(0) + r.startup.warmup_ns.value_or(0) + r.window_ns);
}

class Launches {
 public:
  explicit Launches(const RunOptions& o) : o_(o), plan_(launch_length(o.measure)) {
    patience_ = kFirstPatience + plan_.soak + plan_.length;
    if (!o.measure.max_time) return;
    const auto fits = static_cast<std::size_t>(*o.measure.max_time / kShortestLaunch);
    plan_.launches = std::min(plan_.launches, fits < kFewestLaunches ? 1 : fits);
    limit_ = *o.measure.max_time / static_cast<std::int64_t>(plan_.launches);
  }

  Record run() {
    if (plan_.launches < 2) return strobe::run(o_);
    begun_ = SteadyClock().now();
    for (std::size_t i = 1; i <= plan_.launches && !stopped() && failure_.empty() && !partial_; ++i) {
      tell(i);
      take(i);
      if (i == 1 && !launches_.empty()) allow();
    }
    if (launches_.empty()) throw Error(ErrorCode::interrupted, "interrupted before the first launch was complete");
    return whole();
  }

 private:
  bool stopped() const { return o_.measure.stop && o_.measure.stop(); }
  nanoseconds elapsed() const { return SteadyClock().now() - begun_; }
  void tell(std::size_t launch) const;
  RunOptions options_of(std::size_t launch) const;
  void take(std::size_t launch);
  void allow();
  Record whole();
  Record single();

  const RunOptions& o_;
  LaunchLength plan_;
  std::optional<nanoseconds> limit_;  // of one launch
  nanoseconds begun_{}, patience_{};
  std::vector<Record> launches_;
  std::size_t wanted_ = 0;  // more than the time allowed
  nanoseconds cost_{};      // of one more
  std::string failure_;
  bool partial_ = false;
};

void Launches::tell(std::size_t launch) const {
  if (!o_.measure.progress) return;
  Progress p;
  p.phase = fmt::format("launch {} of {}", launch, plan_.launches);
  p.elapsed = elapsed();
  if (cost_ > 0ns) p.at_most = p.elapsed + static_cast<std::int64_t>(plan_.launches - launch + 1) * cost_;
  o_.measure.progress(p);
}

RunOptions Launches::options_of(std::size_t launch) const {
  RunOptions o = o_;
  o.open.launch = launch - 1;
  o.open.prefers_stream = launch % 2 == 0 && launch < plan_.launches ? "slow" : "fast";
  o.measure.max_time = limit_;
  if (launch > 1) o.measure.samples.clear();
  return o;
}

// A launch that fails does not take those before with it; nor does one that was ended after a signal. One of another
// model does.
void Launches::take(std::size_t launch) {
  try {
    Worker worker(kRunJob, worker_options(options_of(launch)));
    Record r = record_in(worker.answer(patience_, o_.measure.stop));
    if (!launches_.empty()) check_same_files(launches_.front().model, r.model);
    const bool complete = r.status != Status::interrupted;
    partial_ = !complete;
    if (!complete) failure_ = r.status_reason;
    if (complete || launches_.empty()) launches_.push_back(std::move(r));  // a part of a launch is no observation
  } catch (const Error& e) {
    if ((launches_.empty() && !stopped()) || e.code() == ErrorCode::changed) throw;
    if (!stopped()) failure_ = e.what();
    partial_ = true;
  }
}

// The first launch tells what one costs. Where its share of the time was too short for enough requests, one launch gets
// all that is left.
void Launches::allow() {
  const Record first = launches_.front();
  cost_ = cost_of_another(first);
  patience_ = std::max(kLeastPatience, 10 * cost_);
  if (o_.measure.launches && !o_.measure.max_time) return;  // somebody decided
  const nanoseconds left = plan_.whole + to_nanoseconds(first.startup.load_ns.value_or(0)) - elapsed();
  const Metric* latency = first.find(metric::latency);
  if (limit_ && latency && latency->n < kFewestRequests && left > 2 * *limit_) {
    limit_ = left - to_nanoseconds(first.startup.load_ns.value_or(0));
    launches_.clear();
    wanted_ = std::exchange(plan_.launches, 1);
    take(1);
    if (!launches_.empty()) cost_ = cost_of_another(launches_.front());
    return;
  }
  const auto more = static_cast<std::size_t>(std::max<std::int64_t>(0, left / cost_));
  if (1 + more >= plan_.launches) return;
  wanted_ = plan_.launches;
  plan_.launches = 1 + more < kFewestLaunches ? 1 : 1 + more;
}

// Only one: as one that was measured here.
Record Launches::single() {
  Record r = std::move(launches_.front());
  if (wanted_ == 0) return r;
  std::erase_if(r.findings, [](const Finding& f) { return traits_of(f).of_one_launch; });
  r.findings.push_back(
      {.id = "one-launch",
       .severity = Severity::note,
       .message = fmt::format("there was time for one launch only: what differs between launches is not known; "
                              "{} launches would take about {}",
                              kLaunchesForLevels,
                              format_time(to_double(static_cast<std::int64_t>(kLaunchesForLevels) * cost_))),
       .advice = fmt::format("Take --launches {}, and no --max-time below that.", kLaunchesForLevels)});
  return r;
}

Record Launches::whole() {
  const bool broken = partial_ || launches_.size() < plan_.launches;
  Record r = launches_.size() == 1 ? single() : merge_launches(std::move(launches_), plan_.margin);
  if (r.launches.size() > 1 && wanted_ > 0 && r.launches.size() < kLaunchesForLevels)
    r.findings.push_back(
        {.id = "few-launches",
         .severity = Severity::note,
         .message = fmt::format("there was time for {} of {} launches: if launches fall on two levels, "
                                "one of them may be missing",
                                r.launches.size(), wanted_),
         .advice = "Give it more time (--max-time)."});
  if (broken) {
    r.status = Status::interrupted;
    r.status_reason = failure_;
  }
  r.duration_ns = to_double(elapsed());
  r.command = command_line();
  return r;
}

}  // namespace

Record run_launches(const RunOptions& o) {
  return Launches(o).run();
}

}  // namespace strobe
