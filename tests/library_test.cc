// SPDX-License-Identifier: Apache-2.0
// The library as a C++ user sees it: its public headers alone. Workers run the program beside the library.
#include <chrono>
#include <cmath>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <strobe/strobe.h>

namespace {

using namespace std::chrono_literals;

// The text of the Error that a call throws, which must be about its usage.
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const strobe::Error& e) {
    EXPECT_EQ(e.code(), strobe::ErrorCode::usage) << e.what();
    return e.what();
  }
  return "nothing was refused";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool found(const strobe::Record& r, const std::string& id) {
  for (const strobe::Finding& f : r.findings) {
    if (f.id == id) return true;
  }
  return false;
}

const strobe::Options kFew{.warmup = 0, .requests = 30, .launches = 1};

TEST(LibraryRun, MeasuresAModelByItsName) {
  const strobe::Record r = strobe::run("sim:kernels=20x5us,launch=4us,sync=6us", kFew);
  EXPECT_EQ(r.verb, "run");
  EXPECT_EQ(r.find("latency")->estimate.value, 110'000);  // 4 + 20 × 5 + 6
  EXPECT_EQ(r.find("latency")->n, 30u);
}

TEST(LibraryRun, MeasuresRequestsAfterPauses) {
  const strobe::Record r = strobe::run("sim:kernels=20x5us,launch=4us,sync=6us,sleep_after=5ms,wake=300us",
                                       {.requests = 30, .launches = 1, .idle = {{10ms}, {10ms, true}}});
  ASSERT_EQ(r.idle.size(), 2u);
  EXPECT_EQ(r.idle[0].metrics.at("latency").estimate.value, 410'000);  // 300 more
  EXPECT_TRUE(r.idle[1].random);
  EXPECT_TRUE(has(refusal([] { strobe::run("sim:tiny", {.idle = {{0ms}}}); }), "a pause of 0"));
  EXPECT_TRUE(has(refusal([] { strobe::methods({.model = "sim:tiny"}, {.idle = {{1ms}, {1ms}}}); }), "1 ms twice"));
}

TEST(LibraryRun, RefusesWhatBelongsToCallables) {
  EXPECT_TRUE(has(refusal([] { strobe::run("sim:tiny", {.name = "x"}); }), "'name'"));
  EXPECT_TRUE(has(refusal([] { strobe::run("sim:tiny", {.items = 2}); }), "'items'"));
  EXPECT_TRUE(has(refusal([] { strobe::run("sim:tiny", {.device = "cuda:0"}); }), ".device"));
  EXPECT_TRUE(has(refusal([] { strobe::run("sim:tiny", {.pin = "0"}); }), "'pin'"));
  int stream = 0;
  EXPECT_TRUE(has(refusal([&] { strobe::run("sim:tiny", {.stream = &stream}); }), "'stream'"));
}

TEST(LibraryRun, RotatesOverAsManyInputSetsAsWereAskedFor) {
  const std::string model = "sim:launch=1us,kernels=20x5us,cache=5MB,input=1MB,miss=30us";
  const strobe::Model few{.model = model, .input_sets = 5}, many{.model = model, .input_sets = strobe::beyond_cache};
  EXPECT_EQ(strobe::run(few, kFew).find("device_time")->estimate.value, 100'000);
  const strobe::Record r = strobe::run(many, kFew);
  EXPECT_EQ(r.find("device_time")->estimate.value, 130'000);
  EXPECT_EQ(r.observations.input_sets, 10u);
  EXPECT_EQ(r.observations.input_bytes, 10'000'000u);
}

TEST(LibraryRun, RefusesWhatTheCommandLineRefuses) {
  const auto refused = [](const strobe::Model& m) { return refusal([&] { strobe::run(m); }); };
  EXPECT_TRUE(has(refused({}), "no model"));
  EXPECT_TRUE(has(refused({.model = "a.onnx", .batch = 0}), "--batch 0"));
  EXPECT_TRUE(has(refused({.model = "a.onnx", .shape = {{"x", "1x0"}}}), "--shape of 'x'"));
  EXPECT_TRUE(has(refused({.model = "a.onnx", .input_range = {{"x", {1, 1}}}}), "--input-range"));
  EXPECT_TRUE(has(refused({.model = "a.onnx", .input_sets = 0}), "--input-sets 0"));
  EXPECT_TRUE(has(refused({.model = "a.onnx", .threads = 100'000}), "--threads 100000"));
  EXPECT_TRUE(has(refused({.model = "a.onnx", .dtype = "f32"}), "--dtype"));
  EXPECT_TRUE(has(refused({.model = "sim:tiny", .batch = 2}), "--batch"));  // a simulated model has no file
  EXPECT_TRUE(has(refusal([] { strobe::run("sim:tiny", {.in_flight = 0}); }), "--in-flight 0"));
  EXPECT_TRUE(has(refusal([] { strobe::run("sim:tiny", {.min_time = 2s, .max_time = 1s}); }), "--min-time"));
  EXPECT_TRUE(has(refusal([] { strobe::run("sim:tiny", {.min_time = 2s, .requests = 9}); }), "--requests"));
  EXPECT_TRUE(has(refusal([] { strobe::run("sim:tiny", {.percentiles = {99}}); }), "0.99"));
}

TEST(LibraryRun, RepeatsInFreshProcesses) {
  strobe::Options o = kFew;
  o.launches = 2;
  const strobe::Record r = strobe::run("sim:kernels=20x5us,launch=4us,sync=6us", o);
  EXPECT_EQ(r.launches.size(), 2u);
  EXPECT_NEAR(r.find("latency")->estimate.value, 110'000, 1);
  o.launches = 0;
  EXPECT_TRUE(has(refusal([&] { strobe::run("sim:tiny", o); }), "--launches 0"));
}

TEST(LibraryMethods, ReadsTheMethodsThatAreNamed) {
  const strobe::Record r =
      strobe::methods({.model = "sim:launch-bound"}, {.methods = {"naive", "event"}, .warmup = 1, .requests = 5});
  ASSERT_EQ(r.cases.size(), 2u);
  EXPECT_EQ(r.cases[1].name, "event");
  const strobe::Record block = strobe::methods({.model = "sim:launch=5us,kernels=20x1us"},
                                               {.method = {"clock=device,wait=none,scope=block,queue=full"}});
  EXPECT_EQ(block.cases.at(0).claims, "period");
  EXPECT_TRUE(has(refusal([] { strobe::methods({.model = "sim:tiny"}, {.like = "nothing"}); }), "do_bench"));
  EXPECT_TRUE(has(refusal([] { strobe::methods({.model = "sim:tiny"}, {.requests = 4}); }), "--requests 4"));
}

TEST(LibraryRun, TakesANameOrAModelInBraces) {
  EXPECT_THROW(strobe::run("no.onnx", {.launches = 1}), strobe::Error);
  EXPECT_THROW(strobe::run(std::string("no.onnx"), {.launches = 1}), strobe::Error);
  EXPECT_THROW(strobe::run({.model = "no.onnx", .batch = 8}, {.launches = 1}), strobe::Error);
}

TEST(LibraryThroughput, SearchesInWorkersOfTheProgramBesideTheLibrary) {
  if (::dlsym(RTLD_DEFAULT, "__asan_init")) GTEST_SKIP() << "AddressSanitizer maps more than a trial may have";
  const strobe::Record r =
      strobe::throughput({.model = "work:spin=200us", .device = "cpu"}, {.effort = strobe::quick, .no_largest = true});
  ASSERT_TRUE(r.find("throughput"));
  EXPECT_LT(r.find("throughput")->estimate.value, 5'000);
  EXPECT_GT(r.find("throughput")->estimate.value, 50);
}

TEST(LibraryThroughput, RefusesWhatItWouldIgnore) {
  EXPECT_TRUE(has(refusal([] { strobe::throughput({.model = "a.onnx", .batch = 2}); }), "--batches"));
  EXPECT_TRUE(has(refusal([] { strobe::throughput({.model = "a.onnx"}, {.percentile = 0.9}); }), "--max-latency"));
  EXPECT_TRUE(has(refusal([] { strobe::throughput({.model = "a.onnx"}, {.batches = {0}}); }), "--batches 0"));
}

TEST(LibraryCompare, TakesCallablesInTurns) {
  const auto spin = [](std::chrono::microseconds length) {
    return [length] {
      const auto end = std::chrono::steady_clock::now() + length;
      while (std::chrono::steady_clock::now() < end) continue;
    };
  };
  const strobe::Record r = strobe::compare({{"once", spin(100us)}, {"thrice", spin(300us)}}, {.pairs = 2});
  ASSERT_EQ(r.cases.size(), 2u);
  EXPECT_EQ(r.cases[1].name, "thrice");
  EXPECT_EQ(r.cases[1].model->runtime, "callable");
  ASSERT_FALSE(r.comparisons.empty());
  EXPECT_EQ(r.comparisons[0].metric, "latency");
  EXPECT_GT(r.comparisons[0].ratio.value, 1.5);
}

// A workload of a user's: it counts how often it was made and told that requests count, and knows something of itself.
class Told final : public strobe::Workload {
 public:
  Told(strobe::Device& device, int& counting) : stream_(strobe::open_stream(device)), counting_(counting) {}
  void submit(std::size_t) override { std::this_thread::sleep_for(100us); }
  strobe::Stream& stream() override { return *stream_; }
  void counting() override { ++counting_; }
  void complete(strobe::Record& r) override { r.model.facts["training"] = true; }

 private:
  std::unique_ptr<strobe::Stream> stream_;
  int& counting_;
};

TEST(LibraryCompare, TakesFunctionsThatMakeAWorkloadForEachPair) {
  int made = 0, counting = 0;
  const strobe::MakeWorkload make = [&](strobe::Device& device) {
    ++made;
    return std::make_unique<Told>(device, counting);
  };
  const strobe::Record r = strobe::compare({{"told", make}, {"nothing", [] {}}}, {.pairs = 2});
  EXPECT_EQ(made, 2);
  EXPECT_EQ(counting, 2);
  EXPECT_TRUE(std::get<bool>(r.cases[0].model->facts.at("training")));
  EXPECT_TRUE(has(refusal([] { strobe::compare({{"a", [] {}}, {"b", strobe::MakeWorkload()}}); }), "is empty"));
}

TEST(LibraryMeasure, JudgesWithWhatAWorkloadKnowsOfItself) {
  const auto device = strobe::open_device("cpu");
  int counting = 0;
  Told work(*device, counting);
  EXPECT_TRUE(found(strobe::measure(work, {.requests = 20}), "training-mode"));
  EXPECT_EQ(counting, 1);
  EXPECT_TRUE(found(
      strobe::pipeline(
          {{"a", [] { std::this_thread::sleep_for(100us); }}},
          {.rounds = 1, .iterations = 2, .complete = [](strobe::Record& r) { r.model.facts["training"] = true; }}),
      "training-mode"));
}

TEST(LibraryWords, AreThoseOfTheCommandLine) {
  EXPECT_EQ(strobe::parse_time("1.5 s", "max_time"), 1500ms);
  EXPECT_EQ(strobe::parse_pause("poisson:10ms", "idle"), (strobe::IdlePause{10ms, true}));
  EXPECT_EQ(strobe::parse_pause("10ms", "idle"), (strobe::IdlePause{10ms, false}));
  EXPECT_EQ(strobe::parse_effort("quick", "effort"), strobe::quick);
  EXPECT_EQ(strobe::parse_cache("cold", "cache"), strobe::Cache::cold);
  EXPECT_EQ(strobe::parse_io("none", "io"), strobe::Io::none);
  EXPECT_EQ(strobe::parse_copies("serial", "copies"), strobe::Copies::serial);
  EXPECT_TRUE(has(refusal([] { strobe::parse_time("5 parsecs", "max_time"); }), "cannot read max_time '5 parsecs'"));
  EXPECT_TRUE(has(refusal([] { strobe::parse_effort("fast", "effort"); }), "unknown effort 'fast'. Take glance or"));
}

TEST(LibraryCompare, TakesModelsInTurns) {
  const strobe::Record r = strobe::compare(
      {{"", strobe::Model{"sim:kernels=20x5us"}}, {"slow", strobe::Model{"sim:kernels=40x5us"}}}, {.pairs = 8});
  ASSERT_EQ(r.cases.size(), 2u);
  EXPECT_EQ(r.cases[0].name, "sim:kernels=20x5us");
  EXPECT_EQ(r.comparisons.front().outcome, "slower");
}

TEST(LibraryCompare, RefusesWhatACallableCannotDo) {
  const auto refused = [](strobe::Candidate c, const strobe::CompareOptions& o = {}) {
    return refusal([&] { strobe::compare({{"nothing", [] {}}, std::move(c)}, o); });
  };
  EXPECT_TRUE(has(refused({"graph", [] {}, {}, true}), "as a graph"));
  EXPECT_TRUE(has(refused({"", [] {}}), "without a name"));
  EXPECT_TRUE(has(refused({"b", [] {}}, {.fail_on = {"memory=5%"}}), "separate process"));
  EXPECT_TRUE(has(refused({"b", [] {}}, {.pairs = 0}), "--pairs 0"));
  EXPECT_TRUE(has(refused({"b", [] {}}, {.fail_on = {"quicker=1%"}}), "quicker"));
  strobe::Candidate model{"m", strobe::Model{"sim:tiny"}};
  model.items = 3;
  EXPECT_TRUE(has(refused(model), "'items'"));
}

TEST(LibraryMeasure, RefusesWhatItWouldIgnore) {
  EXPECT_TRUE(has(refusal([] { strobe::measure([] {}, {.launches = 5}); }), "'launches'"));
  EXPECT_TRUE(has(refusal([] { strobe::measure([] {}, {.flops = 1e9}); }), "'flops'"));
  EXPECT_TRUE(has(refusal([] { strobe::measure(std::function<void()>()); }), "empty"));
}

TEST(LibraryMeasure, KeepsWhatACallableReturns) {
  volatile double x = 2;
  int calls = 0;
  const strobe::Record r = strobe::measure(
      [&] {
        ++calls;
        double y = x;
        for (int i = 0; i < 100; ++i) y = std::sqrt(y + i);
        return y;
      },
      {.warmup = 0, .requests = 30});
  EXPECT_GE(calls, 30);
  EXPECT_FALSE(found(r, "empty-callable"));
}

TEST(LibraryMeasure, FindsACallableThatDoesNothing) {
  const strobe::Record r = strobe::measure([] {}, {.requests = 200});
  EXPECT_TRUE(found(r, "empty-callable"))
      << r.find("latency")->estimate.value << " ns, and nothing takes " << r.device.calibration.at("empty_request_ns");
  EXPECT_EQ(r.verdict, strobe::Verdict::invalid);
}

// Memory that comes to lie elsewhere each time.
std::vector<int> numbers() {
  return std::vector<int>(1000, 1);
}

int sum_of(const std::vector<int>& x) {
  int sum = 0;
  for (const int n : x) sum += n;
  return sum;
}

const strobe::Options kTwoLoads{.warmup = 0, .requests = 30, .launches = 2};

TEST(LibraryMeasureFresh, TakesWhateverAFunctionLoads) {
  const auto loads_of = [](const strobe::Record& r) {
    EXPECT_TRUE(r.one_process);
    EXPECT_FALSE(found(r, "empty-callable"));
    return r.launches.size();
  };
  const auto by_value = [] { return [x = numbers()] { return sum_of(x); }; };
  const auto movable_only = [] {
    return [x = std::make_unique<std::vector<int>>(numbers())] { strobe::keep(sum_of(*x)); };
  };
  const std::function<std::function<void()>()> erased = [] { return [x = numbers()] { strobe::keep(sum_of(x)); }; };
  EXPECT_EQ(loads_of(strobe::measure_fresh(by_value, kTwoLoads)), 2u);
  EXPECT_EQ(loads_of(strobe::measure_fresh(movable_only, kTwoLoads)), 2u);
  EXPECT_EQ(loads_of(strobe::measure_fresh(erased, kTwoLoads)), 2u);
  EXPECT_EQ(loads_of(strobe::measure_fresh([&] { return erased(); }, kTwoLoads)), 2u);
}

// What a launch would bring back: one value a launch, known beforehand.
strobe::Record launched_record(double latency) {
  strobe::Record r = strobe::measure([] { return numbers().size(); }, {.warmup = 0, .requests = 30});
  r.metrics["latency"].estimate.value = latency;
  r.metrics["latency"].facts.median_of_rounds = latency;
  return r;
}

TEST(LibraryMeasureLaunches, MergesWhatTheCallersProcessesMeasured) {
  std::vector<std::size_t> numbers_seen;
  const strobe::Record r = strobe::measure_launches(
      [&](const strobe::Launch& launch) {
        EXPECT_EQ(launch.of, 5u);
        EXPECT_GT(launch.patience, 1min);
        numbers_seen.push_back(launch.number);
        return launched_record(1000.0 + 10 * static_cast<double>(launch.number));
      },
      {.launches = 5});
  EXPECT_EQ(numbers_seen, (std::vector<std::size_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(r.launches.size(), 5u);
  EXPECT_FALSE(r.one_process);
  EXPECT_EQ(r.find("latency")->estimate.value, 1030);  // the median launch
  EXPECT_LT(*r.find("latency")->estimate.low, 1010);   // for the next one: beyond all five
  EXPECT_GT(*r.find("latency")->estimate.high, 1050);
}

TEST(LibraryMeasureLaunches, KeepsWhatThereIsWhereOneFails) {
  const auto failing_at = [](std::size_t number) {
    return [number](const strobe::Launch& launch) {
      if (launch.number == number) throw strobe::Error(strobe::ErrorCode::failed, "the process was killed");
      return launched_record(1000);
    };
  };
  const strobe::Record r = strobe::measure_launches(failing_at(4), {.launches = 5});
  EXPECT_EQ(r.launches.size(), 3u);
  EXPECT_EQ(r.status, strobe::Status::interrupted);
  EXPECT_TRUE(has(r.status_reason, "was killed"));
  EXPECT_THROW(strobe::measure_launches(failing_at(1), {.launches = 5}), strobe::Error);
  EXPECT_TRUE(has(refusal([&] { strobe::measure_launches(failing_at(9), {.flops = 1e9}); }), "'flops'"));
}

class Summing final : public strobe::Workload {
 public:
  explicit Summing(strobe::Device& device) : stream_(strobe::open_stream(device)) {}
  void submit(std::size_t) override { strobe::keep(sum_of(x_)); }
  strobe::Stream& stream() override { return *stream_; }
  std::size_t items() const override { return x_.size(); }

 private:
  std::unique_ptr<strobe::Stream> stream_;
  std::vector<int> x_ = numbers();
};

TEST(LibraryMeasureFresh, TakesWorkloads) {
  const std::shared_ptr<strobe::Device> device = strobe::open_device("cpu");
  const strobe::Record r = strobe::measure_fresh([&] { return std::make_unique<Summing>(*device); }, kTwoLoads);
  EXPECT_EQ(r.launches.size(), 2u);
  const strobe::Record back = strobe::parse_record(strobe::json(r));
  EXPECT_TRUE(back.one_process);
  EXPECT_EQ(back.find("latency")->verdict->word, r.find("latency")->verdict->word);
}

TEST(LibraryMeasureFresh, RefusesWhatItWouldIgnore) {
  const auto refused = [](const strobe::Options& o) {
    return refusal([&] { strobe::measure_fresh([] { return [] {}; }, o); });
  };
  EXPECT_TRUE(has(refused({.launches = 0}), "--launches 0"));
  EXPECT_TRUE(has(refused({.flops = 1e9}), "'flops'"));
  EXPECT_TRUE(has(refusal([] { strobe::measure([] {}, {.launches = 5}); }), "measure_fresh"));
}

// 1 ms each, but for one pause in the middle that makes the second half slower.
std::vector<std::chrono::duration<double>> times_with_a_step() {
  std::vector<std::chrono::duration<double>> times;
  for (int i = 0; i < 400; ++i) times.emplace_back((i < 200 ? 1e-3 : 1.5e-3) * (1 + 0.002 * (i % 7)));
  return times;
}

TEST(LibraryAudit, JudgesTimesOfTheCaller) {
  const strobe::Record r = strobe::audit(times_with_a_step(), {.name = "mine"});
  EXPECT_EQ(r.verb, "audit");
  EXPECT_EQ(r.model.name, "mine");
  ASSERT_TRUE(r.find("reading"));
  EXPECT_GT(r.find("reading")->estimate.value, 0.9e6);
  EXPECT_LT(r.find("reading")->estimate.value, 1.6e6);
  EXPECT_NE(r.verdict, strobe::Verdict::trusted);
  EXPECT_EQ(strobe::audit(std::vector(100, std::chrono::duration<double>(2ms))).find("reading")->estimate.value, 2e6);
}

TEST(LibraryAudit, TellsARecordFromTimesByTheFile) {
  const std::string folder = ::testing::TempDir();
  const strobe::Record r = strobe::run("sim:launch=2us,kernels=1x2us,tick=512ns", kFew);
  std::ofstream(folder + "strobe-audit.json") << strobe::json(r);
  EXPECT_EQ(strobe::audit(folder + "strobe-audit.json").verb, "run");
  EXPECT_TRUE(found(strobe::audit(folder + "strobe-audit.json"), "timer-resolution"));
  std::ofstream times(folder + "strobe-audit.txt");
  for (int i = 0; i < 100; ++i) times << 2 << '\n';
  times.close();
  EXPECT_EQ(strobe::audit(folder + "strobe-audit.txt", {.unit = "ms"}).find("reading")->estimate.value, 2e6);
  EXPECT_EQ(strobe::audit(folder + "strobe-audit.txt").find("reading")->estimate.value, 2e9);
}

TEST(LibraryAudit, RefusesWhatItCannotRead) {
  EXPECT_TRUE(has(refusal([] { strobe::audit("a.txt", {.decimal = "dot"}); }), "point or comma"));
  EXPECT_TRUE(has(refusal([] { strobe::audit(times_with_a_step(), {.column = "2"}); }), "how to read a file"));
  EXPECT_THROW(strobe::audit(std::vector<std::chrono::duration<double>>{}), strobe::Error);
  EXPECT_THROW(strobe::audit(std::vector(3, std::chrono::duration<double>(-1))), strobe::Error);
  EXPECT_THROW(strobe::audit("no such file"), strobe::Error);
}

TEST(LibraryRecord, IsJudgedAgainWithTheSameOutcome) {
  const strobe::Record r = strobe::run("sim:launch=2us,kernels=1x2us,tick=512ns", kFew);
  ASSERT_TRUE(found(r, "timer-resolution"));
  strobe::Record stored = strobe::parse_record(strobe::json(r));
  stored.findings.clear();
  stored.verdict = strobe::Verdict::trusted;
  strobe::judge(stored);
  EXPECT_TRUE(found(stored, "timer-resolution"));
  EXPECT_EQ(stored.verdict, r.verdict);
}

TEST(LibraryRecord, IsComparedWithOneOfBefore) {
  const auto launched = [](double latency) {
    return strobe::measure_launches(
        [latency](const strobe::Launch& l) { return launched_record(latency + static_cast<double>(l.number)); },
        {.launches = 5});
  };
  const std::vector<strobe::StoredRecord> all{{"before", launched(1000)}, {"after", launched(1500)}};
  const strobe::Record r = strobe::compare_records(all, {.fail_on = {"slower=2%"}});
  EXPECT_EQ(r.comparisons.at(0).outcome, "slower");
  EXPECT_NEAR(r.comparisons.at(0).ratio.value, 1.5, 0.01);
  ASSERT_EQ(r.fail_on.size(), 1u);
  EXPECT_EQ(r.fail_on[0].outcome, "failed");
  EXPECT_TRUE(has(refusal([&] { strobe::compare_records({all[0]}); }), "a single record"));
  EXPECT_TRUE(has(refusal([&] { strobe::compare_records(all, {.fail_on = {"quicker=1%"}}); }), "quicker"));
}

TEST(LibraryRecord, OfAComparisonKeepsItsFindings) {
  strobe::Record r;
  r.verb = "compare";
  r.metrics["latency"].n = 1;
  r.findings = {{.id = "undecided", .severity = strobe::Severity::warning}};
  strobe::judge(r);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].id, "undecided");
}

TEST(LibraryRecord, BecomesAPage) {
  const std::string page = strobe::html(strobe::run("sim:tiny", kFew));
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(has(page, "sim:tiny"));
}

}  // namespace
