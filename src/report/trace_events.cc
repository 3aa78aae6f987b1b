// SPDX-License-Identifier: Apache-2.0
#include "report/trace_events.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/words.h"

namespace strobe {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNsPerMicrosecond = 1e3, kMicrosecondsPerSecond = 1e6;

Json named(const char* what, std::size_t process, std::size_t track, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", track}, {"args", {{"name", name}}}};
}

// A track draws what lies within each other, and nothing else.
class Track {
 public:
  bool takes(const TimelineSpan& s) {
    while (!open_.empty() && open_.back() <= s.begin_ns) open_.pop_back();
    return open_.empty() || s.end_ns <= open_.back();
  }
  void add(const TimelineSpan& s) { open_.push_back(s.end_ns); }

 private:
  std::vector<double> open_;  // ends of the spans that go on, the innermost last
};

class Events {
 public:
  void add(const Record& r) {
    ++process_;
    tracks_.clear();
    events_.push_back(named("process_name", process_, 0, name_of(r)));
    std::vector<TimelineSpan> spans = r.timeline;
    std::stable_sort(spans.begin(), spans.end(), [](const TimelineSpan& a, const TimelineSpan& b) {
      return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
    });
    for (const TimelineSpan& s : spans) add(s);
    add(r.telemetry);
    for (const MemoryPlace& p : r.memory.places) add(p);
  }
  std::string text() const {
    return Json{{"displayTimeUnit", "ns"}, {"traceEvents", events_}}.dump(-1, ' ', false,
                                                                          Json::error_handler_t::replace) +
           "\n";
  }

 private:
  std::size_t track_of(const TimelineSpan& s) {
    std::vector<std::pair<std::size_t, Track>>& tracks = tracks_[s.lane];
    for (auto& [number, track] : tracks) {
      if (!track.takes(s)) continue;
      track.add(s);
      return number;
    }
    const std::size_t number = ++last_track_;
    events_.push_back(named("thread_name", process_, number,
                            tracks.empty() ? s.lane : fmt::format("{} ({})", s.lane, tracks.size() + 1)));
    tracks.emplace_back(number, Track()).second.add(s);
    return number;
  }

  void add(const TimelineSpan& s) {
    const std::size_t track = track_of(s);
    Json event{{"ph", "X"},
               {"name", s.name},
               {"cat", s.lane},
               {"pid", process_},
               {"tid", track},
               {"ts", s.begin_ns / kNsPerMicrosecond},
               {"dur", (s.end_ns - s.begin_ns) / kNsPerMicrosecond}};
    if (s.iteration) event["args"] = {{"iteration", *s.iteration}};
    events_.push_back(std::move(event));
  }

  void add(const Telemetry& t) {
    for (const auto& [name, values] : t.columns) {
      for (std::size_t i = 0; i < std::min(values.size(), t.at_seconds.size()); ++i)
        events_.push_back({{"ph", "C"},
                           {"name", name},
                           {"pid", process_},
                           {"ts", t.at_seconds[i] * kMicrosecondsPerSecond},
                           {"args", {{"value", values[i]}}}});
    }
  }

  // A counter of bytes, and its phases as spans of their own.
  void add(const MemoryPlace& place) {
    for (const MemoryPoint& p : place.curve)
      events_.push_back({{"ph", "C"},
                         {"name", fmt::format("memory: {}", place.name)},
                         {"pid", process_},
                         {"ts", p.at_ns / kNsPerMicrosecond},
                         {"args", {{"bytes", p.bytes}}}});
    const std::string lane = fmt::format("phases: {}", place.name);
    for (const MemoryPhase& p : place.phases) add(TimelineSpan{lane, p.name, p.begin_ns, p.end_ns, {}});
  }

  Json events_ = Json::array();
  std::map<std::string, std::vector<std::pair<std::size_t, Track>>> tracks_;
  std::size_t process_ = 0, last_track_ = 0;
};

}  // namespace

std::string trace_events_of(std::span<const Record> records) {
  Events events;
  for (const Record& r : records) events.add(r);
  return events.text();
}

}  // namespace strobe
