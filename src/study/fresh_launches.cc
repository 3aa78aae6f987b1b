// SPDX-License-Identifier: Apache-2.0
#include "study/fresh_launches.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "base/format.h"
#include "device/clock.h"
#include "host/facts.h"
#include "study/worker.h"
#include "verdict/judge.h"
#include "workload/model_files.h"

namespace strobe {
namespace {

constexpr std::size_t kFewestLaunches = 3, kLaunchesForLevels = 5;  // with fewer, levels may be missed
constexpr nanoseconds kStartOfProcess = 200ms;
constexpr nanoseconds kFirstPatience = 30min;  // beside the time asked for: nobody knows how long a load takes
constexpr nanoseconds kLeastPatience = 2min;
constexpr nanoseconds kLeastWithinLimit = 5s;  // of --max-time: a busy machine may take that long over next to nothing

class Launching {
 public:
  explicit Launching(LaunchesPlan plan) : plan_(std::move(plan)), patience_(kFirstPatience + plan_.longest) {
    done_.asked = plan_.launches;
    plan_.launches = launches_within(plan_);
    if (plan_.max_time) limit_ = *plan_.max_time / static_cast<std::int64_t>(plan_.launches);
  }

  Launched run() {
    for (std::size_t i = 1; i <= plan_.launches && !stopped() && done_.complete; ++i) {
      tell(i);
      take(i);
      if (i == 1 && !done_.launches.empty()) allow();
    }
    if (done_.launches.empty()) throw Error(ErrorCode::interrupted, "interrupted before the first launch was complete");
    done_.complete = done_.complete && done_.launches.size() == plan_.launches;
    done_.elapsed = elapsed();
    done_.max_time = plan_.max_time;
    return std::move(done_);
  }

 private:
  bool stopped() const { return plan_.stop && plan_.stop(); }
  nanoseconds elapsed() const { return SteadyClock().now() - begun_; }
  nanoseconds cost_of(const Record& r) const { return kStartOfProcess + plan_.cost(r); }
  void tell(std::size_t launch) const;
  Record make(const LaunchTurn&) const;
  void take(std::size_t launch);
  void allow();
  nanoseconds least_patience() const;

  LaunchesPlan plan_;
  std::optional<nanoseconds> limit_;  // of one launch
  const nanoseconds begun_ = SteadyClock().now();
  nanoseconds patience_;
  Launched done_;
};

void Launching::tell(std::size_t launch) const {
  if (!plan_.progress) return;
  Progress p;
  p.phase = fmt::format("launch {} of {}", launch, plan_.launches);
  p.elapsed = elapsed();
  if (done_.cost > 0ns) p.at_most = p.elapsed + static_cast<std::int64_t>(plan_.launches - launch + 1) * done_.cost;
  plan_.progress(p);
}

Record Launching::make(const LaunchTurn& turn) const {
  if (plan_.launch) return plan_.launch(turn, patience_);
  Worker worker(plan_.job, plan_.options(turn));
  return record_in(worker.answer(patience_, plan_.stop));
}

// A part of a launch is no observation, but better than nothing.
void Launching::take(std::size_t launch) {
  std::vector<Record>& launches = done_.launches;
  try {
    Record r = make({launch, plan_.launches, limit_});
    if (!launches.empty()) check_same_files(launches.front().model, r.model);
    done_.complete = r.status != Status::interrupted;
    if (!done_.complete) done_.failure = r.status_reason;
    if (done_.complete || launches.empty()) launches.push_back(std::move(r));
  } catch (const Error& e) {
    if ((launches.empty() && !stopped()) || e.code() == ErrorCode::changed) throw;
    if (!stopped()) done_.failure = e.what();
    done_.complete = false;
  }
}

// A launch that hangs takes no longer than what all of them may, where somebody has said that.
nanoseconds Launching::least_patience() const {
  return plan_.max_time ? std::clamp(*plan_.max_time, kLeastWithinLimit, kLeastPatience) : kLeastPatience;
}

// The first launch tells what one costs. Where its share of the time was too short for enough requests, one launch gets
// all that is left.
void Launching::allow() {
  const Record first = done_.launches.front();
  const nanoseconds load = to_nanoseconds(first.startup.load_ns.value_or(0));
  done_.cost = cost_of(first);
  patience_ = std::max(least_patience(), 10 * done_.cost);
  if (plan_.asked && !plan_.max_time) return;
  const nanoseconds left = plan_.whole + load - elapsed();
  if (limit_ && plan_.too_few && plan_.too_few(first) && left > 2 * *limit_) {
    limit_ = left - load;
    done_.launches.clear();
    done_.wanted = std::exchange(plan_.launches, 1);
    take(1);
    if (!done_.launches.empty()) done_.cost = cost_of(done_.launches.front());
    return;
  }
  const auto more = static_cast<std::size_t>(std::max<std::int64_t>(0, left / done_.cost));
  if (1 + more >= plan_.launches) return;
  done_.wanted = plan_.launches;
  plan_.launches = 1 + more < kFewestLaunches ? 1 : 1 + more;
}

Finding one_launch_for(nanoseconds cost) {
  const double five = to_double(static_cast<std::int64_t>(kLaunchesForLevels) * cost);
  return {.id = "one-launch",
          .severity = Severity::note,
          .message = fmt::format("there was time for one launch only: what differs between launches is not known; "
                                 "{} launches would take about {}",
                                 kLaunchesForLevels, format_time(five)),
          .advice = fmt::format("Take --launches {}, and no --max-time below that.", kLaunchesForLevels)};
}

Finding few_launches(std::size_t launches, std::size_t wanted) {
  return {.id = "few-launches",
          .severity = Severity::note,
          .message = fmt::format("there was time for {} of {} launches: if launches fall on two levels, "
                                 "one of them may be missing",
                                 launches, wanted),
          .advice = "Give it more time (--max-time)."};
}

}  // namespace

std::size_t launches_within(const LaunchesPlan& p) {
  if (!p.max_time) return p.launches;
  const auto fits = static_cast<std::size_t>(*p.max_time / p.shortest);
  return std::min(p.launches, fits < kFewestLaunches ? 1 : fits);
}

Launched launch_all(LaunchesPlan plan) {
  return Launching(std::move(plan)).run();
}

void describe_launched(const Launched& l, Record& r) {
  if (l.launches.size() == 1 && l.wanted > 0) {
    std::erase_if(r.findings, [](const Finding& f) { return traits_of(f).of_one_launch; });
    r.findings.push_back(one_launch_for(l.cost));
  }
  if (l.launches.size() > 1 && l.wanted > 0 && l.launches.size() < kLaunchesForLevels)
    r.findings.push_back(few_launches(l.launches.size(), l.wanted));
  if (!l.complete) {
    r.status = Status::interrupted;
    r.status_reason = l.failure;
  }
  if (l.asked > 1) r.settings["launches"] = static_cast<std::int64_t>(l.asked);
  if (l.max_time) r.settings["max_time_ns"] = to_double(*l.max_time);  // each had its share
  r.duration_ns = to_double(l.elapsed);
  r.command = command_line();
}

}  // namespace strobe
