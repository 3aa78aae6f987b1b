// SPDX-License-Identifier: Apache-2.0
#include "study/launches.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>
#include <strobe/measure.h>

#include "base/units.h"
#include "device/clock.h"
#include "measure/deadline.h"
#include "measure/idle.h"
#include "measure/launch_length.h"
#include "measure/listings.h"
#include "option/forms.h"
#include "record/metric_names.h"
#include "record/reported.h"
#include "study/clock_hold.h"
#include "study/fresh_launches.h"
#include "study/merge_launches.h"
#include "study/options/tables.h"
#include "study/worker.h"
#include "study/worker_options.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

constexpr std::size_t kFewestRequests = 20;
constexpr nanoseconds kShortestLaunch = 600ms;  // of --max-time, after its load

// Of studies whose launches have no length of their own.
constexpr std::size_t kLaunchesOfStudy = 5;
constexpr nanoseconds kShortestStudy = 1s, kLongestStudy = 5min;
constexpr double kStudyMargin = 0.02;

// Both levels of streams are seen in every study, in the same shares.
std::string stream_for(const LaunchTurn& turn) {
  return turn.number % 2 == 0 && !turn.last() ? "slow" : "fast";
}

RunOptions options_of(const RunOptions& asked, const LaunchTurn& turn) {
  RunOptions o = asked;
  o.open.launch = turn.number - 1;
  o.open.prefers_stream = stream_for(turn);
  o.measure.max_time = turn.limit;
  if (turn.number > 1) o.measure.samples.clear();
  return o;
}

// What the first one looks at beside its rounds is not repeated.
nanoseconds cost_of_rounds(const Record& r) {
  return to_nanoseconds(r.startup.load_ns.value_or(0) + r.startup.warmup_ns.value_or(0) + r.window_ns);
}

// Every launch pauses, too: as often as this one did.
nanoseconds cost_of_launch(const Record& r) {
  double pauses = 0;
  for (const IdleResult& i : r.idle) {
    const auto latency = i.metrics.find(metric::latency);
    if (latency == i.metrics.end() || !latency->second.known()) continue;
    const double requests = static_cast<double>(latency->second.n + kRequestsBesideIdle);
    pauses += requests * (i.pause_ns + latency->second.estimate.value);
  }
  return cost_of_rounds(r) + to_nanoseconds(pauses + r.energy.took_ns);
}

nanoseconds whole_cost(const Record& r) {
  return to_nanoseconds(r.duration_ns);
}

bool has_too_few(const Record& r) {
  const Metric* latency = r.find(metric::latency);
  return latency && latency->n < kFewestRequests;
}

LaunchesPlan launches_of(const RunOptions& o, const LaunchLength& length) {
  LaunchesPlan p;
  p.job = kRunJob;
  p.launches = length.launches;
  p.asked = o.measure.launches;
  p.max_time = o.measure.max_time;
  p.shortest = kShortestLaunch + length.idle + length.energy;
  p.longest = length.soak + length.length + length.idle + length.energy;
  p.whole = length.whole;
  p.options = [&o](const LaunchTurn& turn) { return worker_options(options_of(o, turn)); };
  p.cost = cost_of_launch;
  p.too_few = has_too_few;
  p.progress = o.measure.progress;
  p.stop = o.measure.stop;
  return p;
}

// A launch reads each method so often that a fixed count is what ends it.
LaunchesPlan launches_of(const MethodsPlan& o) {
  LaunchesPlan p;
  p.job = kMethodsJob;
  p.launches = o.launches.value_or(kLaunchesOfStudy);
  p.asked = o.launches;
  p.max_time = o.max_time;
  p.shortest = kShortestStudy;
  p.whole = o.max_time.value_or(kLongestStudy);
  p.options = [&o](const LaunchTurn& turn) {
    MethodsPlan one = o;
    one.open.launch = turn.number - 1;
    one.open.prefers_stream = stream_for(turn);
    one.max_time = turn.limit;
    return worker_options(one);
  };
  p.cost = whole_cost;
  p.too_few = [](const Record& r) { return r.status == Status::not_converged; };
  p.progress = o.progress;
  p.stop = o.stop;
  return p;
}

std::function<void(const Progress&)> named_progress(std::function<void(const Progress&)> report,
                                                    std::string_view name) {
  if (!report) return {};
  return [report = std::move(report), name](const Progress& p) {
    Progress named = p;
    named.phase = fmt::format("{}: {}", name, p.phase);
    report(named);
  };
}

Record launched(const LaunchesPlan& plan, double margin) {
  const Launched all = launch_all(plan);
  Record r = all.launches.size() == 1 ? all.launches.front() : merge_launches(all.launches, margin);
  describe_launched(all, r);
  return r;
}

Case failed_listing(const Listing& listing, const Error& e) {
  Case c;
  c.name = listing.name;
  c.claims = listing.claims;
  c.about = listing.about;
  c.group = method_group::listing;
  c.error = e.what();
  return c;
}

// Its rows stand below those before it; what its launches found is true of all.
void add_listing_to(Record& whole, const Record& r) {
  whole.cases.insert(whole.cases.end(), r.cases.begin(), r.cases.end());
  whole.duration_ns += r.duration_ns;
  whole.verdict = std::max(whole.verdict, r.verdict);
  for (const Finding& f : r.findings) {
    const auto same = [&](const Finding& x) { return x.id == f.id && x.metric == f.metric; };
    if (std::none_of(whole.findings.begin(), whole.findings.end(), same)) whole.findings.push_back(f);
  }
  if (whole.status == Status::fixed) {
    whole.status = r.status;
    whole.status_reason = r.status_reason;
  }
}

// A listing prints what it does because nothing ran before it, so each has processes of its own, also where there is
// one launch of each. The references are those of the first. None is cut short: where the time is up, or somebody asks
// for the end, those that are whole are kept.
Record every_listing(const MethodsPlan& asked) {
  std::optional<Record> whole;
  SteadyClock clock;
  const nanoseconds end = end_of(asked.max_time, clock);
  const auto over = [&] { return clock.now() >= end || (asked.stop && asked.stop()); };
  for (const Listing& listing : listings()) {
    if (whole && over()) break;
    MethodsPlan one = asked;
    one.like = listing.name;
    one.max_time = std::nullopt;
    one.progress = named_progress(asked.progress, listing.name);
    try {
      Record r = launched(launches_of(one), kStudyMargin);
      if (!whole)
        whole = std::move(r);
      else if (r.status != Status::interrupted)
        add_listing_to(*whole, r);
    } catch (const Error& e) {
      if (!whole) throw;
      if (!over()) whole->cases.push_back(failed_listing(listing, e));
    }
  }
  if (whole->cases.size() < listings().size()) {
    whole->status = asked.stop && asked.stop() ? Status::interrupted : Status::not_converged;
    whole->status_reason = fmt::format("{} of {} listings were run", whole->cases.size(), listings().size());
  }
  whole->settings["like"] = std::string(kEveryListing);
  if (asked.max_time) whole->settings["max_time_ns"] = to_double(*asked.max_time);
  sort_findings(whole->findings);
  return *std::move(whole);
}

}  // namespace

Record measure_launches(const std::function<Record(const Launch&)>& launch, const Options& asked) {
  if (!launch) throw Error(ErrorCode::usage, "cannot launch with a function that is empty");
  check_options(measure_table(), asked);
  RunOptions o;
  o.measure = asked;
  o.measure.launches.reset();  // how many: not an option of one
  refuse_beside_callables(measure_table(), o.measure);
  o.measure.launches = asked.launches;
  const LaunchLength length = launch_length(asked);
  LaunchesPlan plan = launches_of(o, length);
  plan.launch = [&](const LaunchTurn& turn, nanoseconds patience) {
    return launch({.number = turn.number, .of = turn.of, .max_time = turn.limit, .patience = patience});
  };
  return launched(plan, length.margin);
}

Record run_launches(const RunOptions& o) {
  const ClockHold hold(o.open);
  if (!o.measure.pass.empty()) return run(o);  // a profiler watches this process
  const LaunchLength length = launch_length(o.measure);
  const LaunchesPlan plan = launches_of(o, length);
  return launches_within(plan) < 2 ? run(o) : launched(plan, length.margin);
}

Record methods_launches(const MethodsPlan& o) {
  const ClockHold hold(o.open);
  if (o.like == kEveryListing) return every_listing(o);
  const LaunchesPlan plan = launches_of(o);
  return launches_within(plan) < 2 ? compare_methods(o) : launched(plan, kStudyMargin);
}

}  // namespace strobe
