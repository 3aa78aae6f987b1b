// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "option/forms.h"
#include "study/fresh_launches.h"
#include "study/memory/memory.h"
#include "study/memory/memory_answer.h"
#include "study/memory/memory_options.h"
#include "study/memory/merge_memory.h"
#include "study/merge_launches.h"
#include "study/options/tables.h"
#include "study/worker.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

constexpr std::size_t kWeighedLaunches = 5;
constexpr nanoseconds kShortestLook = 1s, kLongestLook = 5min;
constexpr double kMemoryMargin = 0.02;

// The second, so that one which runs out of time has it, too.
bool is_recording(const LaunchTurn& turn) {
  return turn.number == 2;
}

LaunchesPlan launches_of(const MemoryPlan& asked) {
  LaunchesPlan p = looking(kMemoryJob, asked.how, kShortestLook, kLongestLook);
  p.launches = 1 + asked.how.launches.value_or(kWeighedLaunches);
  if (asked.how.launches) p.asked = p.launches;
  p.options = [&asked](const LaunchTurn& turn) {
    MemoryPlan one = asked;
    one.recorded = is_recording(turn);
    one.open.launch = turn.number - 1;
    one.how.max_time = turn.limit;
    return worker_options(one);
  };
  return p;
}

bool was_recorded(const Record& r) {
  return r.memory.recorded > 0 || !r.memory.why_no_events.empty();
}

struct Looks {
  std::vector<Record> weighed;
  std::optional<Record> recorded;
};

Looks looks_of(const std::vector<Record>& launches) {
  Looks l;
  for (const Record& r : launches) {
    if (was_recorded(r))
      l.recorded = r;
    else
      l.weighed.push_back(r);
  }
  return l;
}

Record whole_of(const Looks& l) {
  const auto add = [&](const std::vector<Record>&, Record& whole) { merge_memory(l.weighed, whole); };
  Record r = l.weighed.size() > 1 ? merge_launches(l.weighed, kMemoryMargin, add) : l.weighed.front();
  if (l.recorded)
    add_recorded(*l.recorded, r.memory);
  else
    r.memory.why_no_events = "there was no time for a launch that records them";
  return r;
}

// Both in this process, one after the other: what is recorded does not depend on what the process has had before.
Looks in_this_process(MemoryPlan p) {
  Looks l;
  p.recorded = false;
  l.weighed.push_back(memory_launch(p));
  if (l.weighed.front().status == Status::interrupted) return l;
  p.recorded = true;
  l.recorded = memory_launch(p);
  return l;
}

}  // namespace

Record memory_launches(const MemoryPlan& asked) {
  const LaunchesPlan plan = launches_of(asked);
  const bool here = asked.how.launches == 1 || launches_within(plan) < 2;
  std::optional<Launched> all;
  if (!here) all = launch_all(plan);
  Record r = whole_of(here ? in_this_process(asked) : looks_of(all->launches));
  describe_options(memory_table(), asked.how, r.settings);
  if (all) {
    describe_launched(*all, r);
    r.settings["launches"] = static_cast<std::int64_t>(plan.launches - 1);  // that were weighed
  }
  if (asked.how.limit) decide_fit(*asked.how.limit, r);
  return r;
}

}  // namespace strobe
