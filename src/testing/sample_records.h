// SPDX-License-Identifier: Apache-2.0
// Records made by hand, one for each kind of report: small, but with every part that a picture is made of.
#pragma once

#include <cmath>
#include <string>

#include <strobe/record.h>

namespace strobe::testing {

inline Estimate around(double value, double share = 0.01) {
  return {value, value * (1 - share), value * (1 + share), true, {}};
}

inline Metric sample_metric(double value, const char* unit = "ns") {
  Metric m;
  m.unit = unit;
  m.n = 100;
  m.n_eff = 60;
  m.estimate = around(value);
  return m;
}

// With a warm-up, a shift, a drift, two modes, outliers, and a percentile that is refused.
inline Metric sample_series(double value) {
  Metric m = sample_metric(value);
  m.mean = around(1.01 * value);
  m.stddev = 0.02 * value;
  m.min = 0.97 * value;
  m.max = 1.5 * value;
  m.outliers = {3, 0.03, 0.05, 1.5 * value};
  m.percentiles = {{0.9, around(1.05 * value), {}}, {0.999, {}, 3688}};
  m.facts.warmup_end_seconds = 1;
  m.facts.drift = 0.04;
  m.facts.drifting = true;
  m.facts.shifts = {{3, 1.05}};
  m.facts.modes = {{value, 0.8}, {1.05 * value, 0.2}};
  for (int i = 0; i < 400; ++i) {
    const double t = 0.0125 * i, level = value * (t < 1 ? 1.4 : 1 + 0.01 * std::sin(i));
    m.curve.push_back({t, 0.99 * level, level, 1.02 * level, 3});
  }
  for (int i = 0; i <= 100; ++i) m.histogram.edges.push_back(value * (0.97 + 0.0053 * i));
  m.histogram.counts.assign(100, 1);
  return m;
}

inline Record sample_run() {
  Record r;
  r.verb = "run";
  r.strobe = {"0.1.0", "abc", "Release", "GNU 12"};
  r.command = {"strobe", "run", "resnet18.onnx"};
  r.started_at = "2026-01-02T03:04:05Z";
  r.model.path = r.model.name = "resnet18.onnx";
  r.model.runtime = "onnxruntime";
  r.model.inputs = {{"x", "f32", {1, 3, 224, 224}, "random"}};
  r.device = {"cuda:0", "NVIDIA H200", true, {}, {{"mark_ns", 1500}}};
  r.host = {{"cores", std::int64_t{2}}, {"memory_bytes", std::int64_t{1} << 34}, {"name", std::string("bench-1")}};
  r.settings["seed"] = std::int64_t{1};
  r.window_ns = 4e9;
  r.startup.warmup_requests = 38;
  r.metrics["latency"] = sample_series(1.87e6);
  r.metrics["device_time"] = sample_series(0.52e6);
  r.metrics["span"] = sample_series(1.8e6);
  r.metrics["throughput"] = sample_metric(541, "items/s");
  r.metrics["replay_time"].unknown = "the runtime cannot capture";
  r.telemetry.at_seconds = {0, 1, 2, 3, 4};
  r.telemetry.columns["power_w"] = {90, 300, 310, 305, 300};
  r.findings = {{"drift", About::measurement, Severity::warning, "it drifts by 4 %", "Wait.", {}},
                {"host-bound", About::workload, Severity::note, "the device idles", "Use a graph.", {}}};
  r.verdict = Verdict::caution;
  return r;
}

// With the lanes of a request whose host takes three quarters of it to submit.
inline Record sample_request() {
  Record r = sample_run();
  r.timeline = {{"host", "submit", 0, 1.5e6}, {"host", "wait", 1.5e6, 2e6}, {"device", "work", 0, 2e6}};
  r.observations.timeline_uncertainty_ns = 2500;
  return r;
}

// Two windows in each of two launches.
inline Record sample_energy_run() {
  Record r = sample_run();
  r.energy = {.source = "NVML", .scope = "the whole board, without the host", .windows = {}};
  for (const double joules : {3400, 3410, 3390, 3420})
    r.energy.windows.push_back(
        {.launch = r.energy.windows.size() / 2 + 1, .length_ns = 5.05e9, .joules = joules, .requests = 5000});
  r.metrics["energy"] = sample_metric(0.681, "J");
  r.metrics["energy_net"] = sample_metric(0.6, "J");
  r.metrics["items_per_joule"] = sample_metric(1.468, "items/J");
  r.metrics["power"] = sample_metric(674, "W");
  r.metrics["idle_power"] = sample_metric(80, "W");
  return r;
}

inline IdleResult sample_idle(double pause_ns, double latency_ns, double difference, bool random = false) {
  IdleResult r{.pause_ns = pause_ns, .random = random};
  r.metrics["latency"] = sample_metric(latency_ns);
  r.metrics["submit"] = sample_metric(0.1e6);
  r.difference = difference;
  return r;
}

// After 10 ms the GPU sleeps; of 10 s nothing is known.
inline Record sample_idle_run() {
  Record r = sample_run();
  r.idle = {sample_idle(1e6, 1.88e6, 0.005), sample_idle(1e7, 2.58e6, 0.38), sample_idle(1e9, 3.74e6, 1, true)};
  r.idle[1].metrics["latency"].percentiles = {{0.9, around(2.7e6), {}}, {0.99, {}, 368}};
  r.idle[1].before = {345, 8, {}};
  r.idle[1].after = {1980, 0, {}};
  r.idle.push_back({.pause_ns = 1e10});
  r.idle.back().metrics["latency"].unknown = "the time was up before";
  return r;
}

inline Case sample_case(std::string name, Scalars settings, Metrics metrics) {
  Case c{};
  c.name = std::move(name);
  c.settings = std::move(settings);
  c.metrics = std::move(metrics);
  return c;
}

inline Case failed_case(std::string name, Scalars settings, std::string error) {
  Case c = sample_case(std::move(name), std::move(settings), {});
  c.error = std::move(error);
  return c;
}

inline Case method_case(std::string name, std::string claims, Metrics metrics) {
  Case c = sample_case(std::move(name), {}, std::move(metrics));
  c.claims = std::move(claims);
  return c;
}

inline Record sample_methods() {
  Record r = sample_run();
  r.verb = "methods";
  r.cases = {method_case("naive", "latency", {{"reading", sample_metric(0.2e6)}}),
             method_case("gated", "device_time", {{"reading", sample_metric(0.52e6)}}),
             failed_case("device, no wait, read at once", {}, "the mark has not been reached")};
  r.cases[0].difference = -0.89;
  return r;
}

// With a method that counts the first requests: its error is that of the mean, 1.01 times the median.
inline Record sample_cold_methods() {
  Record r = sample_methods();
  r.cases.push_back(method_case("host, stream, no warm-up", "latency", {{"reading", sample_series(2.5e6)}}));
  r.cases.back().settings["warmup"] = false;
  r.cases.back().difference = 0.35;
  r.cases[1].difference = 0;
  return r;
}

inline Record sample_compare() {
  Record r = sample_run();
  r.verb = "compare";
  r.model.name = "a.onnx";
  r.metrics.clear();
  r.cases = {sample_case("a.onnx", {}, {{"latency", sample_metric(2e6)}}),
             sample_case("b.onnx", {}, {{"latency", sample_metric(1.5e6)}})};
  r.comparisons = {{"a.onnx", "b.onnx", "latency", {0.75, 0.74, 0.76, true, {}}, "faster", 40, {}},
                   {"a.onnx", "b.onnx", "throughput", {1.0, 0.9, {}, true, {}}, "cannot-tell", 40, 900}};
  return r;
}

inline Record sample_throughput() {
  Record r = sample_run();
  r.verb = "throughput";
  r.metrics.clear();
  for (const std::int64_t batch : {16, 1, 4}) {
    const double rate = 1000.0 * static_cast<double>(batch) / static_cast<double>(batch + 4);
    r.cases.push_back(sample_case("batch " + std::to_string(batch), {{"batch", batch}, {"in_flight", std::int64_t{4}}},
                                  {{"throughput", sample_metric(rate, "items/s")},
                                   {"latency_loaded", sample_metric(4e9 * static_cast<double>(batch) / rate)},
                                   {"memory", sample_metric(0x1p28 * static_cast<double>(batch), "bytes")}}));
    r.cases.back().outcome = "fits";
  }
  r.cases.push_back(
      failed_case("batch 64", {{"batch", std::int64_t{64}}, {"in_flight", std::int64_t{4}}}, "no memory"));
  r.cases.back().outcome = "out-of-memory";
  r.answer = {.best_batch = 16, .largest_batch = 16};
  r.metrics["throughput"] = r.cases[0].metrics["throughput"];
  return r;
}

inline Record sample_pipeline() {
  Record r = sample_run();
  r.verb = "pipeline";
  r.timeline = {{"host", "decode", 1e6, 3e6}, {"cuda:0", "detect", 3e6, 7e6}, {"host", "decode", 5e6, 7e6}};
  Case c = sample_case("together", {}, {{"period", sample_metric(4e6)}});
  c.stages = {{"decode", {{"latency", sample_metric(2e6)}}, {}},
              {"detect", {{"latency", sample_metric(4e6)}}, "slowest"}};
  r.cases = {c};
  return r;
}

// With a leak, an arena, allocations that were recorded, and a limit.
inline Record sample_memory() {
  Record r = sample_run();
  r.verb = "memory";
  r.metrics.clear();
  r.metrics["memory"] = sample_metric(199e6, "bytes");
  r.telemetry = {};
  MemoryPlace process{.name = "process", .counted = "resident memory of the process", .before = 12e6};
  process.phases = {{"load", 0, 120e6, 0, around(123e6), around(121e6)},
                    {"first request", 120e6, 150e6, 1, around(180e6), around(150e6)},
                    {"warm-up", 150e6, 200e6, 4, around(180e6), around(150e6)},
                    {"steady", 200e6, 900e6, 50, around(199e6), around(199e6)}};
  process.growth = MemoryGrowth{around(1e6), 50, "grows"};
  process.curve = {{0, 12e6}, {110e6, 123e6}, {150e6, 150e6}, {900e6, 199e6}};
  MemoryPlace allocations = process;
  allocations.name = "allocations";
  allocations.growth.reset();
  for (MemoryPoint& p : allocations.curve) p.bytes /= 2;
  r.memory = {.requests = 250,
              .places = {process, allocations},
              .parts = {{"in use of the allocator", around(120e6)}, {"unexplained", around(79e6)}},
              .allocator = MemoryAllocator{"an arena", around(120e6), around(150e6), around(140e6), 0.2},
              .why_no_allocator = {},
              .recorded = 3,
              .events = {{1e6, 44e6, "load", "weights", "conv1"},
                         {130e6, 8e6, "first request", "requests", ""},
                         {140e6, -8e6, "first request", "requests", ""}},
              .peak_causes = {{"weights", {44e6}}, {"requests", {8e6}}},
              .recorder = "somebody",
              .why_no_events = {},
              .fit = MemoryFit{1u << 30, 800e6, "fits", 800}};
  return r;
}

// A launch of 400 requests in 16 rounds. One standard deviation, relative: 1.1 % of requests and 0.45 % of rounds.
inline Metric launch_metric(double value) {
  Metric m = sample_metric(value);
  m.n = 400;
  m.facts.rounds = 16;
  m.facts.request_spread = 0.011;
  m.facts.round_spread = 0.0045;
  return m;
}

// The fourth failed. The launches differ far more than what varies within each of them.
inline Record sample_launches() {
  Record r = sample_run();
  for (int i = 1; i <= 3; ++i)
    r.launches.push_back(sample_case("launch " + std::to_string(i), {},
                                     {{"latency", launch_metric(1.8e6 + 0.05e6 * i)},
                                      {"device_time", launch_metric(0.5e6 + 0.002e6 * i)},
                                      {"throughput", sample_metric(541 + i, "items/s")}}));
  r.launches.push_back(failed_case("launch 4", {}, "killed"));
  r.metrics["latency"].launch_spread = 0.027;
  r.metrics["device_time"].launch_spread = 0.004;
  r.metrics["throughput"].launch_spread = 0.006;
  return r;
}

}  // namespace strobe::testing
