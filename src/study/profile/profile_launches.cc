// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "option/forms.h"
#include "record/study_info.h"
#include "study/clock_hold.h"
#include "study/fresh_launches.h"
#include "study/merge_launches.h"
#include "study/options/tables.h"
#include "study/profile/merge_profile.h"
#include "study/profile/profile.h"
#include "study/profile/profile_options.h"
#include "study/worker.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

constexpr std::size_t kLaunchesASide = 6;  // by which a ratio has an interval
constexpr nanoseconds kShortestProfile = 1s, kLongestProfile = 5min;
constexpr double kProfileMargin = 0.02;

constexpr std::size_t kFirstProfiled = 2;

// The first is clean: its record is the one that the others are merged into.
bool is_profiled(const LaunchTurn& turn) {
  return turn.number % 2 == 0;
}

LaunchesPlan launches_of(const ProfilePlan& asked) {
  LaunchesPlan p = looking(kProfileJob, asked.how, kShortestProfile, kLongestProfile);
  p.launches = 2 * asked.how.launches.value_or(kLaunchesASide);
  p.asked = asked.how.launches;
  p.options = [&asked](const LaunchTurn& turn) {
    ProfilePlan one = asked;
    one.profiled = is_profiled(turn);
    one.open.launch = turn.number - 1;
    one.open.prefers_stream = "fast";  // both sides alike
    one.how.max_time = turn.limit;
    if (turn.number != kFirstProfiled) one.how.save_trace.clear();
    return worker_options(one);
  };
  return p;
}

struct Sides {
  std::vector<Record> clean, profiled;
};

Sides sides_of(const std::vector<Record>& launches) {
  Sides s;
  for (const Record& r : launches) (r.profile.requests > 0 ? s.profiled : s.clean).push_back(r);
  return s;
}

Record whole_of(const Sides& s) {
  const auto add = [&](const std::vector<Record>&, Record& whole) { add_profiles(s.clean, s.profiled, whole); };
  if (s.clean.size() > 1) return merge_launches(s.clean, kProfileMargin, add);
  Record r = s.clean.front();
  add_profiles(s.clean, s.profiled, r);
  judge(r);
  return r;
}

// Both in this process, one after the other.
Record in_this_process(ProfilePlan p) {
  Sides s;
  p.profiled = false;
  s.clean.push_back(profile_launch(p));
  p.profiled = true;
  p.open.launch = 1;
  s.profiled.push_back(profile_launch(p));
  return whole_of(s);
}

}  // namespace

Record profile_launches(const ProfilePlan& asked) {
  const ClockHold hold(asked.open);
  const LaunchesPlan plan = launches_of(asked);
  const bool here = asked.how.launches == 1 || launches_within(plan) < 2;
  std::optional<Launched> all;
  if (!here) all = launch_all(plan);
  const bool sides = all && all->launches.size() > 1;
  Record r = here ? in_this_process(asked) : sides ? whole_of(sides_of(all->launches)) : all->launches.front();
  r.verb = verb::profile;
  describe_options(profile_table(), asked.how, r.settings);
  if (!all) return r;
  describe_launched(*all, r);
  r.settings["launches"] = static_cast<std::int64_t>(plan.launches / 2);  // of a side
  return r;
}

}  // namespace strobe
