// SPDX-License-Identifier: Apache-2.0
// Sessions of the plugin with the real library: what the program does not show.
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/inline_device.h"
#include "workload/runtime/openvino/averages.h"
#include "workload/runtime/plugins.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

// y = relu(x) of 4 numbers for each item.
constexpr std::string_view kRelu = R"(<?xml version="1.0"?>
<net name="relu" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="?,4" element_type="f32"/><output>
<port id="0" precision="FP32" names="x"><dim>-1</dim><dim>4</dim></port></output></layer>
<layer id="1" name="r" type="ReLU" version="opset1"><input><port id="0" precision="FP32"><dim>-1</dim><dim>4</dim></port></input>
<output><port id="1" precision="FP32" names="y"><dim>-1</dim><dim>4</dim></port></output></layer>
<layer id="2" name="y/sink" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>-1</dim><dim>4</dim></port>
</input></layer>
</layers><edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
</edges></net>
)";

class OpenVinoSessionTest : public ::testing::Test {
 protected:
  OpenVinoSessionTest() {
    fs::create_directories(folder_);
    options_.path = (folder_ / "relu.xml").string();
    std::ofstream(options_.path) << kRelu;
    options_.threads = 1;
    options_.batch = 2;
  }
  ~OpenVinoSessionTest() override { fs::remove_all(folder_); }

  std::unique_ptr<Session> load() { return runtime_->load(options_, cpu_); }

  fs::path folder_ = fs::path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
  ModelOptions options_;
  InlineDevice cpu_;
  std::unique_ptr<Runtime> runtime_ = load_runtime("openvino");
};

TEST_F(OpenVinoSessionTest, MakesOneRequestAtATimeUnlessAskedForMore) {
  const auto session = load();
  EXPECT_FALSE(session->overlapping());
  EXPECT_EQ(session->info().facts.at("asynchronous"), Scalar(false));
  EXPECT_EQ(session->info().facts.at("performance_hint"), Scalar(std::string("LATENCY")));
}

TEST_F(OpenVinoSessionTest, MakesAsManyRequestsBesideEachOtherAsAskedFor) {
  options_.at_once = {.streams = 2, .in_flight = 3};
  options_.threads = 2;
  const auto session = load();
  Overlapping* requests = session->overlapping();
  ASSERT_TRUE(requests);
  EXPECT_EQ(requests->streams(), 2u);
  EXPECT_EQ(requests->outstanding(), 6u);
  EXPECT_GE(requests->places(), 6u);
  std::set<std::size_t> started, ended;
  for (std::size_t i = 0; i < 6; ++i) started.insert(requests->start(i));
  for (std::size_t i = 0; i < 6; ++i) ended.insert(requests->next_end().place);
  EXPECT_EQ(started.size(), 6u);
  EXPECT_EQ(started, ended);
  EXPECT_EQ(session->info().facts.at("requests"), Scalar(std::int64_t{6}));
  EXPECT_EQ(session->info().facts.at("streams"), Scalar(std::int64_t{2}));
  EXPECT_EQ(session->info().facts.at("performance_hint"), Scalar(std::string("THROUGHPUT")));
}

TEST_F(OpenVinoSessionTest, ComputesTheSameBesideOtherRequests) {
  const auto alone = load()->outputs(0);
  options_.at_once = {.streams = 2, .in_flight = 2};
  options_.threads = 2;
  const auto session = load();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(session->outputs(0), alone);
  EXPECT_TRUE(session->check()->repeatable);
}

TEST_F(OpenVinoSessionTest, HasMoreInputSetsThanRequestsWhereTheyAreAskedFor) {
  options_.at_once = {.streams = 1, .in_flight = 1};
  options_.input_sets.count = 5;
  const auto session = load();
  EXPECT_EQ(session->overlapping()->outstanding(), 1u);
  EXPECT_EQ(session->overlapping()->places(), 5u);
}

TEST_F(OpenVinoSessionTest, AsksTheLibraryHowManyRequestsAreBest) {
  options_.at_once = AtOnce{};
  options_.threads.reset();
  const auto session = load();
  EXPECT_GE(session->overlapping()->streams(), 1u);
  EXPECT_GE(session->overlapping()->outstanding(), session->overlapping()->streams());
}

TEST_F(OpenVinoSessionTest, WaitsForWhatIsOutBeforeItGoes) {
  options_.at_once = {.streams = 1, .in_flight = 4};
  const auto session = load();
  for (std::size_t i = 0; i < 4; ++i) session->overlapping()->start(i);
}

TEST_F(OpenVinoSessionTest, KnowsWhichLayersRan) {
  const auto work = load()->inspect();
  ASSERT_TRUE(work);
  EXPECT_GE(work->nodes, 1u);
  EXPECT_EQ(work->cpu_nodes, work->nodes);
  EXPECT_FALSE(work->uncounted.empty());
  EXPECT_FALSE(work->flops);
}

// Averages after 1, 2 and 4 requests of 100, 20, 20 and 20 µs.
TEST(OpenVinoAverages, LeaveOutTheFirstRequestsOfAnAverage) {
  using std::chrono::microseconds;
  EXPECT_EQ(openvino::average_between(microseconds(100), 1, microseconds(40), 4), microseconds(20));
  EXPECT_EQ(openvino::average_between(microseconds(0), 0, microseconds(40), 4), microseconds(40));
  EXPECT_EQ(openvino::average_between(microseconds(100), 1, microseconds(10), 4).count(), 0);  // rounding, not time
}

TEST_F(OpenVinoSessionTest, ProfilesTheSameLayersInEveryRequest) {
  const auto session = load();
  Profiling profiling = session->profile();
  ASSERT_TRUE(profiling.profiled) << profiling.why_not;
  for (std::size_t i = 0; i < 8; ++i) profiling.profiled->workload().submit(i);
  const auto requests = profiling.profiled->take();
  ASSERT_EQ(requests.size(), 8u);
  ASSERT_FALSE(requests[0].layers.empty());
  EXPECT_EQ(requests[7].layers.size(), requests[0].layers.size());
  for (const LayerCall& l : requests[0].layers) {
    EXPECT_LE(l.begin, l.end);
    EXPECT_NE(l.type, "Parameter");
    EXPECT_FALSE(l.where.empty());
  }
}

TEST_F(OpenVinoSessionTest, ListsTheCpuAmongItsDevices) {
  const auto devices = runtime_->devices();
  EXPECT_NE(std::find(devices.begin(), devices.end(), "CPU"), devices.end());
}

}  // namespace
}  // namespace strobe
