// SPDX-License-Identifier: Apache-2.0
#include "study/search/trial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sys/resource.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "host/facts.h"
#include "host/memory.h"
#include "measure/calibration.h"
#include "measure/energy_metrics.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "stats/late_share.h"
#include "study/bytes_metric.h"
#include "study/new_record.h"
#include "study/options/words.h"
#include "study/search/batch_check.h"
#include "study/worker.h"
#include "study/worker_options.h"
#include "workload/model_files.h"

namespace strobe {
namespace {

using Json = nlohmann::json;

constexpr nanoseconds kTrialPatience = 10min;
constexpr std::size_t kFewestForMet = 20;

// Sessions of one model, each with its share of the CPU; or one, of a runtime with streams of its own.
struct Sessions {
  std::vector<OpenedModel> models;
  std::vector<Workload*> workloads;
};

Sessions open_sessions(OpenOptions o, const TrialPoint& p) {
  Sessions s;
  if (p.batch > 0) o.batch = p.batch;
  if (p.copies == Copies::overlapped) o.fewest_sets = p.in_flight;
  const RuntimeTraits traits = runtime_traits(o);
  if (traits.own_streams) o.at_once = {p.streams, p.in_flight};
  const std::size_t sessions = traits.own_streams ? 1 : p.streams;
  if (sessions > 1 && !o.threads && traits.own_threads)
    o.threads = static_cast<int>(std::max<std::int64_t>(1, allowed_cpus() / static_cast<std::int64_t>(sessions)));
  for (std::size_t i = 0; i < sessions; ++i) {
    s.models.push_back(open_model(o));
    if (!o.on) o.on = s.models.front().device;  // one for all of them
    check_same_files(s.models.front().info, s.models.back().info);
    s.workloads.push_back(s.models.back().workload.get());
  }
  return s;
}

// Opens the device where it has memory of its own, so that all sessions use it; null where they use the host's.
std::shared_ptr<Device> settle_device(OpenOptions& o) {
  std::string name;
  std::shared_ptr<Device> device = device_for(o, name);
  if (!device || !device->memory()) return nullptr;
  o.device = name;
  o.on = device;
  if (const auto exact = runtime_traits(o).exact_memory) o.set.emplace(exact->key, exact->value);
  return device;
}

// 0 where the device uses the host's memory.
std::uint64_t free_on(const Device& device) {
  const auto memory = device.memory();
  return memory ? memory->free.count : 0;
}

Json json_of(const TrialPlan& t) {
  Json j{{"batch", t.point.batch},
         {"streams", t.point.streams},
         {"in_flight", t.point.in_flight},
         {"copies", kinds::word_of<kCopyWords>(t.point.copies)},
         {"shortest", t.shortest_seconds},
         {"longest", t.longest_seconds},
         {"margin", t.margin},
         {"energy", t.energy},
         {"once", t.once},
         {"smallest", t.smallest},
         {"first", t.first},
         {"check_outputs", t.check_outputs}};
  if (t.bound) {
    j["bound"] = {t.bound->limit_ns, t.bound->percentile};
    j["looks"] = t.looks;
  }
  if (t.memory_limit) j["memory_limit"] = *t.memory_limit;
  return j;
}

// Beyond this the process gets no memory: the runtime says so, and the machine does not notice.
void limit_memory(std::uint64_t bytes) {
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_DATA, &limit);
}

LoopPlan loop_plan(const TrialPlan& t, const PinRule& pin, Conductor& conductor) {
  LoopPlan plan;
  plan.pin = pin;
  plan.in_flight = t.point.in_flight;
  plan.copies = t.point.copies;
  plan.shortest = to_nanoseconds(t.shortest_seconds * 1e9);
  plan.longest = to_nanoseconds(t.longest_seconds * 1e9);
  plan.margin = t.margin;
  plan.conductor = &conductor;
  if (t.bound) {
    plan.percentile = t.bound->percentile;
    plan.enough = [bound = *t.bound, looks = t.looks](std::span<const double> latencies) {
      return decide(bound, latencies, looks) != bound_word::cannot_tell;
    };
  }
  return plan;
}

std::string name_of(const TrialPoint& p) {
  std::string name = p.batch > 0 ? fmt::format("batch {}", p.batch) : "its own batch";
  if (p.streams > 1) name += fmt::format(", {} streams", p.streams);
  if (p.in_flight > 1) name += fmt::format(", {} in flight", p.in_flight);
  return name;
}

// What the point took: of the device's own memory, or the most that was resident. What a limit on the host holds back
// is another figure.
void describe_memory(std::uint64_t free_before, const Device& device, TrialResult& found, Record& r) {
  const std::uint64_t after = free_on(device);
  if (after == 0) found.data_bytes = data_memory().count;
  r.metrics[metric::memory] = bytes_metric(free_before > after ? free_before - after : peak_memory().count);
}

// Two windows, gross: a search asks which point takes least of the wall.
void add_trial_energy(std::span<Workload* const> workloads, const TrialPlan& t, Conductor& conductor, Record& r) {
  constexpr const char* kCannotSearch = "cannot search by energy";
  if (workloads.size() > 1)
    throw Error(ErrorCode::unsupported, kCannotSearch, "the windows of several streams would overlap",
                "Take --streams 1.");
  const auto items = static_cast<double>(workloads.front()->items());
  const Metric* rate = r.find(metric::throughput);
  EnergyPlan plan{.length = {.windows = 2, .idle = 0ns}, .in_flight = t.point.in_flight, .copies = t.point.copies};
  if (rate && rate->estimate.value > 0) plan.typical = to_nanoseconds(1e9 * items / rate->estimate.value);
  const EnergySamples s = measure_energy(*workloads.front(), plan, conductor);
  if (s.stopped) throw Error(ErrorCode::interrupted, "interrupted");
  if (!s.why_not.empty()) throw Error(ErrorCode::unsupported, kCannotSearch, s.why_not, "Leave --metric out.");
  add_energy(s, workloads.front()->items(), r);
}

// What an error means for a search.
std::string outcome_of(const Error& e) {
  const auto* lost = dynamic_cast<const WorkerLost*>(&e);
  if (lost && lost->out_of_memory) return trial_word::out_of_memory;
  if (lost) return lost->hung ? trial_word::hung : trial_word::crashed;
  return e.code() == ErrorCode::out_of_memory ? trial_word::out_of_memory : trial_word::unsupported;
}

}  // namespace

TrialPoint point_run(Workload& first, TrialPoint p) {
  if (const Overlapping* requests = first.overlapping()) {
    p.streams = requests->streams();
    p.in_flight = requests->outstanding() / requests->streams();
  } else if (!first.stream().device().can().asynchronous) {
    p.in_flight = 1;
  }
  return p;
}

void describe_point(const TrialPoint& p, Case& c) {
  c.name = name_of(p);
  c.settings["batch"] = p.batch;
  c.settings["streams"] = static_cast<std::int64_t>(p.streams);
  c.settings["in_flight"] = static_cast<std::int64_t>(p.in_flight);
  c.settings["copies"] = kinds::word_of<kCopyWords>(p.copies);
}

void measure_trial(std::span<Workload* const> workloads, const PinRule& pin, const TrialPlan& t, Conductor& conductor,
                   const std::function<void()>& between, TrialResult& found, Record& r) {
  LoopPlan plan = loop_plan(t, pin, conductor);
  plan.between = between;
  const LoopResult loop = run_closed_loop(workloads, plan);
  if (loop.stopped) throw Error(ErrorCode::interrupted, "interrupted");
  r.telemetry = loop.around->telemetry();
  loop.around->observe(0ns, r.observations);
  r.metrics[metric::throughput] = loop.throughput;
  r.metrics[metric::latency_loaded] = loop.latency_loaded;
  if (t.energy) add_trial_energy(workloads, t, conductor, r);
  found.first_ns = to_double(loop.first);
  r.window_ns = to_double(loop.window);
  if (t.first) r.device.calibration = calibrate(workloads.front()->stream().device());
  if (!t.bound) return;
  found.bound = decide(*t.bound, loop.latencies, t.looks);
  found.late_share = stats::late_share(loop.latencies, t.bound->limit_ns).value;
  found.requests = loop.latencies.size();
}

std::string decide(const LatencyBound& bound, std::span<const double> latencies, std::size_t looks) {
  if (latencies.empty()) return bound_word::cannot_tell;
  const stats::Estimate late = stats::late_share(latencies, bound.limit_ns, {1 - 0.05 / static_cast<double>(looks)});
  if (latencies.size() >= kFewestForMet && *late.high < 1 - bound.percentile) return bound_word::met;
  if (*late.low > 1 - bound.percentile) return bound_word::not_met;
  return bound_word::cannot_tell;
}

TrialPlan trial_of(const Json& j) {
  TrialPlan t;
  t.point.batch = j.at("batch");
  t.point.streams = j.at("streams");
  t.point.in_flight = j.at("in_flight");
  kinds::OneOf<kCopyWords>::take(j.at("copies"), t.point.copies);
  t.shortest_seconds = j.at("shortest");
  t.longest_seconds = j.at("longest");
  t.margin = j.at("margin");
  t.energy = j.at("energy");
  t.once = j.at("once");
  t.check_outputs = j.at("check_outputs");
  t.first = j.at("first");
  t.smallest = j.at("smallest");
  if (j.contains("bound")) {
    t.bound = LatencyBound{j.at("bound").at(0), j.at("bound").at(1)};
    t.looks = j.at("looks");
  }
  if (j.contains("memory_limit")) t.memory_limit = j.at("memory_limit").get<std::uint64_t>();
  return t;
}

Record run_trial(const OpenOptions& asked, const TrialPlan& t, const std::function<bool()>& stop) {
  LocalConductor conductor(stop);
  Record r = new_record("trial");
  volunteer_for_the_oom_killer();
  OpenOptions o = asked;
  o.repeat_items = t.once;  // to fill a huge batch with random numbers takes longer than its requests
  const std::shared_ptr<Device> device = settle_device(o);
  if (t.memory_limit && !device) limit_memory(*t.memory_limit);
  const std::uint64_t before = device ? free_on(*device) : 0;
  Case& c = r.cases.emplace_back();
  if (device) c.trial.memory_available = before;
  {
    Sessions s = open_sessions(o, t.point);
    describe_opened(s.models.front(), r);
    describe_model_settings(asked, s.models.front(), r);
    describe_point(point_run(*s.workloads.front(), t.point), c);
    if (t.once)  // runtimes plan their memory in the first request, and take it in the second
      run_a_few(s.workloads, loop_plan(t, {}, conductor), t.point.in_flight + 2);
    else
      measure_trial(s.workloads, s.models.front().pin, t, conductor, {}, c.trial, r);
    r.model = s.models.front().describe();
    describe_memory(before, *s.models.front().device, c.trial, r);
  }
  if (t.check_outputs) c.about = check_batch(o, r.model, t.point.batch, t.smallest);
  return r;
}

Trial try_point(const OpenOptions& o, const TrialPlan& t, const std::function<bool()>& stop) {
  Trial trial;
  Case& c = trial.result;
  describe_point(t.point, c);
  const std::uint64_t killed = oom_kills();
  try {
    Json options = worker_options(o);
    options["trial"] = json_of(t);
    Worker worker(kTrialJob, options);
    const nanoseconds measuring = to_nanoseconds(t.longest_seconds * 1e9);
    Record& r = trial.about;
    r = record_in(worker.answer(kTrialPatience + measuring, stop));
    c.metrics = std::move(r.metrics);
    c.name = r.cases.at(0).name;
    c.settings = r.cases[0].settings;
    for (auto& [name, m] : c.metrics) m.curve.clear();
    c.trial = r.cases[0].trial;
    c.about = r.cases[0].about;  // what is wrong with its outputs
    c.outcome = c.about.empty() ? std::string(trial_word::fits) : trial_word::wrong_output;
  } catch (const Error& e) {
    if (e.code() == ErrorCode::interrupted || (stop && stop())) throw Error(ErrorCode::interrupted, "interrupted");
    if (e.code() == ErrorCode::changed) throw;
    if (t.first &&
        (e.code() == ErrorCode::usage || e.code() == ErrorCode::not_found || e.code() == ErrorCode::bad_input))
      throw;
    c.outcome = outcome_of(e);
    if (c.outcome == trial_word::crashed && oom_kills() > killed) c.outcome = trial_word::out_of_memory;
    c.error = e.what();
    c.trial.cause = e.cause();
  }
  return trial;
}

}  // namespace strobe
