// SPDX-License-Identifier: Apache-2.0
#include "report/trace_events.h"

#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace strobe {
namespace {

using Json = nlohmann::json;

Record with(std::vector<TimelineSpan> spans) {
  Record r;
  r.model.name = "net";
  r.timeline = std::move(spans);
  return r;
}

Json events_of(const std::vector<Record>& records) {
  return Json::parse(trace_events_of(records)).at("traceEvents");
}

// Names of tracks by number.
std::map<int, std::string> tracks(const Json& events) {
  std::map<int, std::string> names;
  for (const Json& e : events) {
    if (e.at("name") == "thread_name") names[e.at("tid")] = e.at("args").at("name");
  }
  return names;
}

Json spans(const Json& events) {
  Json found = Json::array();
  for (const Json& e : events) {
    if (e.at("ph") == "X") found.push_back(e);
  }
  return found;
}

TEST(TraceEvents, AreMicrosecondsOnATrackForEachLane) {
  const Json events = events_of({with({{"host", "submit", 0, 1500}, {"kernels", "k", 500, 2500}})});
  const Json found = spans(events);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].at("ts"), 0);
  EXPECT_EQ(found[0].at("dur"), 1.5);
  EXPECT_EQ(found[1].at("ts"), 0.5);
  EXPECT_NE(found[0].at("tid"), found[1].at("tid"));
  EXPECT_EQ(tracks(events).at(found[1].at("tid")), "kernels");
}

TEST(TraceEvents, NestOnOneTrackAndOverlapOnTwo) {
  const Json nested = events_of({with({{"layers", "inner", 10, 20}, {"layers", "outer", 0, 100}})});
  EXPECT_EQ(tracks(nested).size(), 1u);
  EXPECT_EQ(spans(nested)[0].at("name"), "outer");  // what holds others comes first
  const Json overlapping =
      events_of({with({{"kernels", "a", 0, 60}, {"kernels", "b", 40, 90}, {"kernels", "c", 70, 80}})});
  EXPECT_EQ(tracks(overlapping).size(), 2u);
  const Json found = spans(overlapping);
  EXPECT_NE(found[0].at("tid"), found[1].at("tid"));
  EXPECT_EQ(found[0].at("tid"), found[2].at("tid"));
}

TEST(TraceEvents, OfEveryTrackNestAndAreInOrder) {
  std::vector<TimelineSpan> mixed;
  for (int i = 0; i < 60; ++i)
    mixed.push_back({"kernels", "k", (i * 37) % 100 + 0.0, (i * 37) % 100 + 1.0 + (i * 13) % 40});
  std::map<int, std::vector<double>> open;
  double last = 0;
  for (const Json& e : spans(events_of({with(mixed)}))) {
    const double begin = e.at("ts"), end = begin + e.at("dur").get<double>();
    EXPECT_GE(begin, last);
    last = begin;
    auto& ends = open[e.at("tid")];
    while (!ends.empty() && ends.back() <= begin + 1e-9) ends.pop_back();
    if (!ends.empty()) {
      EXPECT_LE(end, ends.back() + 1e-9);
    }
    ends.push_back(end);
  }
}

TEST(TraceEvents, ShowTelemetryAsCountersAndEachRecordAsAProcess) {
  Record r = with({});
  r.telemetry.at_seconds = {0, 0.5};
  r.telemetry.columns["sm_mhz"] = {1000, 1980};
  const Json events = events_of({r, with({{"host", "submit", 0, 1}})});
  std::vector<double> counted;
  std::set<int> processes;
  for (const Json& e : events) {
    if (e.at("ph") == "C") counted.push_back(e.at("args").at("value"));
    processes.insert(e.at("pid").get<int>());
  }
  EXPECT_EQ(counted, (std::vector<double>{1000, 1980}));
  EXPECT_EQ(processes.size(), 2u);
}

}  // namespace
}  // namespace strobe
