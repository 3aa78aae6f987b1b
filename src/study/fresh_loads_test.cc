// SPDX-License-Identifier: Apache-2.0
#include "study/fresh_loads.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "report/delimited.h"
#include "testing/contains.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

using testing::has;

// Simulated work with a device of its own, as the `load`th of a process.
class LoadedSim final : public Workload {
 public:
  LoadedSim(const std::string& parameters, std::uint64_t load) : device_(of_load(parameters, load)), work_(device_) {}

  void submit(std::size_t request) override { work_.submit(request); }
  Stream& stream() override { return work_.stream(); }
  std::optional<std::uint64_t> kernels() const override { return work_.kernels(); }

 private:
  static SimParameters of_load(const std::string& parameters, std::uint64_t load) {
    SimParameters p = parse_sim(parameters);
    p.load = load;
    return p;
  }

  SimulatedDevice device_;
  SimulatedWorkload work_;
};

constexpr const char* kSteady = "launch=4us,kernels=10x100us,sync=6us";

Record fresh(const std::string& parameters, Options o = {}) {
  o.effort = quick;
  std::uint64_t loads = 0;
  return measure_fresh([&] { return std::make_unique<LoadedSim>(parameters, loads++); }, o);
}

const Finding* find_in(const Record& r, std::string_view id) {
  const auto it = std::find_if(r.findings.begin(), r.findings.end(), [&](const Finding& f) { return f.id == id; });
  return it == r.findings.end() ? nullptr : &*it;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

TEST(FreshLoads, GiveTheLevelsThatLoadsAreOn) {
  const Record r = fresh(std::string(kSteady) + ",noise=0.002,load_levels=1.04@0.5,seed=3", {.launches = 10});
  EXPECT_EQ(r.launches.size(), 10u);
  EXPECT_EQ(r.launches[9].name, "load 10");
  const Metric& m = r.metrics.at("device_time");
  ASSERT_EQ(m.levels.size(), 2u) << text(r);
  EXPECT_NEAR(m.levels[1].value / m.levels[0].value, 1.04, 0.005);
  EXPECT_EQ(m.levels[0].launches + m.levels[1].launches, 10u);
  EXPECT_EQ(m.verdict->word, Repeat::varies_over_loads);
  EXPECT_GT(*m.estimate.high / *m.estimate.low, 1.04);
  EXPECT_TRUE(has(text(r), "of 10 loads)")) << text(r);
}

TEST(FreshLoads, SayThatTheyAreLoadsOfOneProcessWhereverTheyAreShown) {
  const Record r = fresh(kSteady);
  EXPECT_TRUE(r.one_process);
  EXPECT_EQ(r.verb, "measure");
  EXPECT_EQ(r.launches.size(), 5u);
  const std::string shown = text(r);
  EXPECT_TRUE(first_line(shown).ends_with(" · 5 loads in one process")) << shown;
  EXPECT_TRUE(has(shown, "\nloads        5 in one process in ")) << shown;
  EXPECT_TRUE(has(shown, "repeats over loads ±")) << shown;
  EXPECT_TRUE(has(shown, "verdict      trusted: ")) << shown;
  EXPECT_FALSE(has(shown, "next run")) << shown;
  const std::string markdown = render_markdown(r, {}), page = html(r);
  for (const std::string& all : {shown, markdown, page}) {
    EXPECT_TRUE(has(all, "5 ")) << all;
    EXPECT_TRUE(has(all, "what differs between processes is not in the interval")) << all;
    EXPECT_FALSE(has(all, "launch 1")) << all;
  }
  EXPECT_TRUE(has(markdown, "| the next load |")) << markdown;
  EXPECT_TRUE(has(page, "5 loads in one process"));
  EXPECT_TRUE(has(json(r), "\"one_process\": true") || has(json(r), "\"one_process\":true"));
}

TEST(FreshLoads, MeasureInTheFirstWhatAllHaveInCommonAndRepeatTheRest) {
  const Record r = fresh(kSteady);
  for (const char* name : {"latency", "device_time", "throughput"}) {
    EXPECT_EQ(r.metrics.at(name).n_eff, 5) << name;
    for (const Case& c : r.launches) EXPECT_TRUE(c.metrics.contains(name)) << c.name;
  }
  EXPECT_TRUE(r.launches[0].metrics.contains("span"));
  EXPECT_FALSE(r.launches[1].metrics.contains("span"));
  EXPECT_EQ(r.metrics.at("span").verdict->word, Repeat::one_launch);
}

TEST(FreshLoads, AreDestroyedBeforeTheNextIsMade) {
  int alive = 0, made = 0, most = 0;
  struct Counted {
    explicit Counted(int& n) : count(n) { ++count; }
    ~Counted() { --count; }
    int& count;
  };
  const auto load = [&] {
    auto object = std::make_unique<Counted>(alive);
    ++made;
    most = std::max(most, alive);
    return [object = std::move(object)] { return object->count; };
  };
  const Record r = measure_fresh(load, {.warmup = 0, .requests = 20, .launches = 3});
  EXPECT_EQ(made, 3);
  EXPECT_EQ(most, 1);
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(r.launches.size(), 3u);
  EXPECT_TRUE(r.startup.load_ns);
}

TEST(FreshLoads, OfOneLoadAreOneLaunch) {
  const Record r = fresh(kSteady, {.launches = 1});
  EXPECT_FALSE(r.one_process);
  EXPECT_TRUE(first_line(text(r)).ends_with(" · one launch")) << text(r);
  EXPECT_FALSE(has(json(r), "one_process"));
}

TEST(FreshLoads, AreAsManyAsTheTimeAllows) {
  const Record three = fresh(kSteady, {.max_time = std::chrono::seconds(2)});
  EXPECT_EQ(three.launches.size(), 3u);
  EXPECT_EQ(std::get<double>(three.settings.at("max_time_ns")), 2e9);
  EXPECT_EQ(std::get<std::int64_t>(three.settings.at("launches")), 5) << "as asked for";
  ASSERT_TRUE(find_in(three, "few-launches"));
  EXPECT_TRUE(has(find_in(three, "few-launches")->message, "3 of 5 loads"));
  const Record one = fresh(kSteady, {.max_time = std::chrono::seconds(1)});
  EXPECT_TRUE(one.launches.empty());
  ASSERT_TRUE(find_in(one, "few-launches"));
  EXPECT_TRUE(has(find_in(one, "few-launches")->message, "one load only"));
  EXPECT_EQ(one.status, Status::fixed);
}

TEST(FreshLoads, EndInTimeWhereLaterLoadsAreSlow) {
  int loads = 0;
  const auto load = [&] {
    if (++loads > 1) std::this_thread::sleep_for(std::chrono::milliseconds(900));
    return [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  };
  const auto begin = std::chrono::steady_clock::now();
  const Record r = measure_fresh(load, {.effort = quick, .max_time = std::chrono::seconds(3)});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));  // 6.6 s without a look at the clock
  EXPECT_LT(r.launches.size(), 4u);
  EXPECT_TRUE(find_in(r, "few-launches")) << text(r);
}

struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

TEST(FreshLoads, PassOnWhatTheFirstThrowsAndKeepTheCompleteOnesAfterIt) {
  const Options few{.warmup = 0, .requests = 20, .launches = 5};
  EXPECT_THROW(measure_fresh([]() -> std::function<void()> { throw Refused("no weights"); }, few), Refused);
  EXPECT_THROW(measure_fresh([] { return [] { throw Refused("no weights"); }; }, few), Refused);
  int loads = 0;
  const auto load = [&] {
    if (++loads == 3) throw Refused("no weights");
    return [] {};
  };
  const Record r = measure_fresh(load, few);
  EXPECT_EQ(r.launches.size(), 2u);
  EXPECT_EQ(r.status, Status::interrupted);
  EXPECT_EQ(r.status_reason, "no weights");
  loads = 0;
  const auto failing = [&] {
    ++loads;
    return [&] {
      if (loads == 2) throw Refused("it broke");
    };
  };
  const Record one = measure_fresh(failing, few);
  EXPECT_TRUE(one.launches.empty());
  EXPECT_FALSE(one.one_process);
  EXPECT_EQ(one.status_reason, "it broke");
}

TEST(FreshLoads, StopBetweenRequestsAndKeepTheCompleteOnes) {
  std::uint64_t loads = 0;
  Options o{.effort = quick};
  o.stop = [&] { return loads == 3; };
  const Record r = measure_fresh([&] { return std::make_unique<LoadedSim>(kSteady, loads++); }, o);
  EXPECT_EQ(loads, 3u);
  EXPECT_EQ(r.launches.size(), 2u);
  EXPECT_EQ(r.status, Status::interrupted);
}

TEST(FreshLoads, TellWhichOfThemIsMeasured) {
  std::vector<std::string> phases;
  Options o;
  o.progress = [&](const Progress& p) {
    if (phases.empty() || phases.back() != p.phase) phases.push_back(p.phase);
  };
  fresh(kSteady, o);
  EXPECT_EQ(phases,
            (std::vector<std::string>{"load 1 of 5", "load 2 of 5", "load 3 of 5", "load 4 of 5", "load 5 of 5"}));
}

TEST(FreshLoads, RefuseWhatTheyWouldIgnore) {
  const auto refused = [](const Options& o) { EXPECT_THROW(fresh(kSteady, o), Error); };
  refused({.launches = 0});
  refused({.flops = 1e9});
  refused({.items = 2});
  refused({.device = "cuda:0"});
  EXPECT_THROW(measure_fresh(LoadWorkload()), Error);
  EXPECT_THROW(measure_fresh([] { return std::function<void()>(); }), Error);
  EXPECT_THROW(measure_fresh([] { return std::unique_ptr<Workload>(); }), Error);
}

TEST(Measure, SaysInTheHeadLineThatACallableHasOneLaunch) {
  const Record r = measure([] {}, {.name = "nothing", .warmup = 0, .requests = 20});
  EXPECT_TRUE(has(first_line(text(r)), " · one launch")) << text(r);
  EXPECT_TRUE(has(html(r), " · one launch"));
}

}  // namespace
}  // namespace strobe
