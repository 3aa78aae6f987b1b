// SPDX-License-Identifier: Apache-2.0
// Recordings of devices, replayed: what a study makes of them needs no device. The files are in testing/traces; each
// says who recorded it. One of a real GPU is a file more, and a row in kRecorded.
#include "trace/saved_trace.h"

#include <array>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "trace/activity.h"
#include "trace/layer_times.h"

namespace strobe::trace {
namespace {

SavedTrace small_trace() {
  SavedTrace t;
  t.recording.source = "a test";
  t.recording.dropped = 3;
  t.recording.clock = {{998ns, 0ns, 1002ns}, {1998ns, 1000ns, 2002ns}};
  t.recording.calls = {{1, 7, HostCall::Kind::submit, "launch", {10ns, 20ns}},
                       {2, 7, HostCall::Kind::wait, "wait", {30ns, 60ns}}};
  t.recording.work = {{1, 4, DeviceWork::Kind::kernel, "gemm", 0, {25ns, 35ns}},
                      {1, 4, DeviceWork::Kind::copy, "copy", 64, {35ns, 40ns}}};
  t.windows = {{1005ns, 1065ns}};
  t.layers = {{{"conv1", "Conv", "CUDA", {0ns, 20ns}}}};
  return t;
}

TEST(SavedTrace, ComesBackWithEveryField) {
  const std::string once = trace_json(small_trace());
  const SavedTrace back = parse_trace(once);
  EXPECT_EQ(trace_json(back), once);
  EXPECT_EQ(back.recording.source, "a test");
  EXPECT_EQ(back.recording.dropped, 3u);
  EXPECT_EQ(back.recording.clock[1].tracer, 1000ns);
  EXPECT_EQ(back.recording.clock[1].after, 2002ns);
  EXPECT_EQ(back.recording.calls[0].thread, 7u);
  EXPECT_EQ(back.recording.calls[1].kind, HostCall::Kind::wait);
  EXPECT_EQ(back.recording.work[1].kind, DeviceWork::Kind::copy);
  EXPECT_EQ(back.recording.work[1].bytes, 64u);
  EXPECT_EQ(back.recording.work[0].stream, 4u);
  EXPECT_EQ(back.layers[0][0].type, "Conv");
}

TEST(SavedTrace, GivesTheRequestsThatItWasMadeOf) {
  const std::vector<RequestTrace> requests = requests_of(small_trace());
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].work[0].when, (Interval{20ns, 30ns}));
  const LayerTimes times = layer_times_on_device(requests[0]);
  EXPECT_EQ(times.layers[0].time, 15ns);
  EXPECT_EQ(times.layers[0].kernels, 1u);
}

TEST(SavedTrace, SaysWhatIsNoTrace) {
  const auto cause = [](std::string_view text) {
    try {
      parse_trace(text);
    } catch (const Error& e) {
      return e.cause();
    }
    return std::string();
  };
  EXPECT_EQ(cause("no"), "it is not what --save-trace writes");
  EXPECT_EQ(cause(R"({"schema": "strobe-trace/1", "names": []})"), "it is not what --save-trace writes");
  EXPECT_EQ(cause(R"({"schema": "strobe-trace/2"})"), "it is not of the version 'strobe-trace/1'");
  std::string broken = trace_json(small_trace());
  broken.replace(broken.find("\"gemm\","), 7, "");  // a name that nobody has
  EXPECT_EQ(cause(broken), "it is not what --save-trace writes");
}

// What is known of a recording without looking into it.
struct Recorded {
  const char* file;
  const char* source;
  std::size_t requests, kernels;  // kernels of each request
  std::vector<std::string> layers;
};

const std::vector<Recorded> kRecorded{
    {"simulated.json", "the simulated device, to the nanosecond", 4, 4, {"layer 1", "layer 2"}},
    {"fake_gpu.json", "a fake driver and a fake CUPTI (130001): no GPU", 4, 3, {}},
};

SavedTrace recorded(const char* file) {
  std::ifstream in(std::string(STROBE_SOURCE) + "/src/testing/traces/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  return parse_trace(text.str());
}

TEST(RecordedTraces, AreReplayedWithoutADevice) {
  for (const Recorded& r : kRecorded) {
    const SavedTrace saved = recorded(r.file);
    EXPECT_EQ(saved.recording.source, r.source);
    const std::vector<RequestTrace> requests = requests_of(saved);
    ASSERT_EQ(requests.size(), r.requests) << r.file;
    EXPECT_LE(clock_error(saved.recording), 10us);
    EXPECT_EQ(compare_kernel_lists(requests).differing, 0u);
    for (const RequestTrace& t : requests) {
      const Activity a = activity_of(t);
      EXPECT_EQ(a.kernels, r.kernels) << r.file;
      EXPECT_EQ(a.busy + a.starved + a.drained + a.pipeline, a.window);
      EXPECT_EQ(a.both + a.host_only + a.device_only + a.neither, a.window);
      EXPECT_GT(a.busy, 0ns);
      const LayerTimes times = layer_times_on_device(t);
      nanoseconds sum = times.unattributed + times.gaps;
      std::vector<std::string> names;
      for (const LayerTime& l : times.layers) {
        sum += l.time;
        names.push_back(l.name);
      }
      EXPECT_EQ(sum, t.length);
      EXPECT_EQ(names, r.layers);
    }
  }
}

// To the nanosecond: nothing in it depends on the machine that replays it.
TEST(RecordedTraces, GiveTheFormulasOfTheSimulatedDevice) {
  for (const RequestTrace& t : requests_of(recorded("simulated.json"))) {
    EXPECT_EQ(activity_of(t).busy, 3 * 3us + 20us);
    const LayerTimes times = layer_times_on_device(t);
    EXPECT_EQ(times.layers[0].time, 9us);
    EXPECT_EQ(times.layers[1].time, 20us);
  }
}

}  // namespace
}  // namespace strobe::trace
