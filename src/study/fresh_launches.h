// SPDX-License-Identifier: Apache-2.0
// The same job in several fresh processes, one after the other, while this one opens neither device nor runtime: how
// many of them the time allows, and what there is when one fails. What a study makes of them is in merge_launches.h.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <strobe/measure.h>
#include <strobe/record.h>

#include "base/units.h"

namespace strobe {

struct LaunchTurn {
  std::size_t number = 1, of = 1;
  std::optional<nanoseconds> limit = {};  // its share of --max-time

  bool last() const { return number == of; }
};

struct LaunchesPlan {
  std::string_view job;  // of a worker …
  // … or how else a launch is made: a fresh process all the same. Throws Error where it fails or is not done in time.
  std::function<Record(const LaunchTurn&, nanoseconds patience)> launch = {};
  std::size_t launches = 1;
  std::optional<std::size_t> asked = {};       // so many were asked for: without a limit there are no fewer
  std::optional<nanoseconds> max_time = {};    // of all of them
  nanoseconds shortest{}, longest{}, whole{};  // what a launch needs; takes beside its load; all take at most
  std::function<nlohmann::json(const LaunchTurn&)> options = {};
  std::function<nanoseconds(const Record&)> cost = {};  // of another one like this
  std::function<bool(const Record&)> too_few = {};  // requests, in its share of the time; none: there always are enough
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
};

// Of launches that look instead of measuring: each costs what one has taken as a whole. `How`: a study's options.
template <class How>
LaunchesPlan looking(std::string_view job, const How& how, nanoseconds shortest, nanoseconds longest) {
  LaunchesPlan p;
  p.job = job;
  p.max_time = how.max_time;
  p.shortest = shortest;
  p.whole = how.max_time.value_or(longest);
  p.cost = [](const Record& r) { return to_nanoseconds(r.duration_ns); };
  p.progress = how.progress;
  p.stop = how.stop;
  return p;
}

struct Launched {
  std::vector<Record> launches;         // at least one
  std::size_t asked = 0;                // by the user, or by the effort
  std::size_t wanted = 0;               // more than the time allowed; 0: it allowed all
  nanoseconds cost{}, elapsed{};        // of one more; of all
  std::optional<nanoseconds> max_time;  // of all
  std::string failure;                  // of the last one, which is not among them
  bool complete = true;
};

// How many of them `max_time` leaves room for: below three it is one, which another study may rather do in this
// process.
std::size_t launches_within(const LaunchesPlan&);

// A launch that fails, hangs or is killed does not take those before with it. Throws what the first one throws, and
// where the model has changed meanwhile.
Launched launch_all(LaunchesPlan);

// What the record of all says of how they went. `r` is that of the only one, or made of several.
void describe_launched(const Launched&, Record& r);

}  // namespace strobe
