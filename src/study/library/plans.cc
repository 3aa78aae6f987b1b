// SPDX-License-Identifier: Apache-2.0
#include "study/library/plans.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "base/parse.h"
#include "host/facts.h"
#include "study/efforts.h"

namespace strobe {
namespace {

[[noreturn]] void refuse(std::string what, std::string cause, std::string advice = {}) {
  throw Error(ErrorCode::usage, std::move(what), std::move(cause), std::move(advice));
}

template <class Number>
void check_count(const char* option, Number n, Number least, Number most = std::numeric_limits<Number>::max()) {
  if (n < least) refuse(fmt::format("cannot use {} {}", option, n), fmt::format("it must be at least {}", least));
  if (n > most) refuse(fmt::format("cannot use {} {}", option, n), fmt::format("it must be at most {}", most));
}

void check_time(const char* option, const std::optional<nanoseconds>& time) {
  if (time && *time <= 0ns) refuse(fmt::format("{} is 0", option), "it must be above 0");
}

void check_share(const char* option, double share) {
  if (!(share >= 0 && share <= 1)) refuse(fmt::format("cannot use {} {}", option, share), "it must be between 0 and 1");
}

void check_percentile(const char* option, double p) {
  if (!(p > 0 && p < 1))
    refuse(fmt::format("cannot use {} {}", option, p), "it must be between 0 and 1", "The 99th percentile is 0.99.");
}

void check_word(const char* option, const std::string& word, std::initializer_list<std::string_view> words) {
  if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end())
    refuse(fmt::format("cannot use {} '{}'", option, cut_text(word, 40)),
           fmt::format("it must be {}", fmt::join(words, " or ")));
}

void check_measuring(const Options& o) {
  if (o.margin) check_share("--margin", *o.margin);
  check_time("--max-time", o.max_time);
  if (o.min_time && o.max_time && *o.min_time > *o.max_time) refuse("--min-time is longer than --max-time", {});
  if (o.requests) check_count<std::size_t>("--requests", *o.requests, 1);
  check_count<std::size_t>("--in-flight", o.in_flight, 1, kMostInFlight);
  for (const double p : o.percentiles) check_percentile("--percentiles", p);
  if (o.flops && !(*o.flops > 0)) refuse("--flops is not above 0", {});
}

void check_launches(const Options& o) {
  check_count<std::size_t>("--launches", *o.launches, 2);
  if (!o.samples_file.empty()) refuse("cannot use --samples with --launches", "each launch would overwrite the others");
  if (!o.percentiles_gate && o.percentiles != Options{}.percentiles)
    refuse("cannot use these percentiles with --launches", "launches measure until named percentiles are bounded",
           "Set percentiles_gate.");
}

// What every study may be told: when to end, and whom to tell how far it is.
template <class Asked, class Plan>
void hand_over_watch(const Asked& o, Plan& p) {
  p.max_time = o.max_time;
  p.progress = o.progress;
  p.stop = o.stop;
}

}  // namespace

void check_threads(std::int64_t n) {
  constexpr std::int64_t kMostPerCore = 16;
  const std::int64_t cores = allowed_cpus();
  check_count<std::int64_t>("--threads", n, 1);
  if (n > kMostPerCore * cores)
    refuse(fmt::format("cannot use --threads {}", n),
           fmt::format("this machine has {}", counted(static_cast<std::uint64_t>(cores), "core", "cores")));
}

void refuse_callable_options(const Options& o, const char* instead) {
  const Options usual;
  const char* option = o.name != usual.name       ? "name"
                       : o.device != usual.device ? "device"
                       : o.stream != usual.stream ? "stream"
                       : o.items != usual.items   ? "items"
                                                  : nullptr;
  if (option) refuse(fmt::format("cannot use the option '{}' here", option), "it belongs to callables", instead);
}

OpenOptions open_options(const Model& m) {
  if (m.model.empty()) refuse("no model is named", {});
  if (m.batch) check_count<std::int64_t>("--batch", *m.batch, 1);
  if (m.threads) check_threads(*m.threads);
  check_word("--dtype", m.dtype, {"fp16", "bf16"});
  check_word("--layout", m.layout, {"channels_last"});
  for (const auto& [name, text] : m.shape) parse_shape(text, fmt::format("--shape of '{}'", name));
  for (const auto& [name, range] : m.input_range) {
    if (!(range.low < range.high))
      refuse(fmt::format("cannot use --input-range of '{}'", name), "the lower end is not below the upper one");
  }
  return {m};
}

RunOptions plan_run(const OpenOptions& open, const Options& o) {
  check_measuring(o);
  if (o.launches) check_launches(o);
  RunOptions r;
  r.open = open;
  r.measure = o;
  return r;
}

MethodsPlan plan_methods(const OpenOptions& open, const MethodsOptions& o) {
  check_time("--max-time", o.max_time);
  check_count<std::size_t>("--requests", o.requests, 5);
  MethodsPlan p;
  p.open = open;
  p.only = o.methods;
  p.warmup = o.warmup;
  p.requests = o.requests;
  hand_over_watch(o, p);
  return p;
}

ThroughputPlan plan_throughput(const OpenOptions& open, const ThroughputOptions& o) {
  if (open.batch)
    refuse("cannot use --batch with throughput", "throughput searches for the batch", "Take --batches for a list.");
  for (const std::int64_t n : o.batches) check_count<std::int64_t>("--batches", n, 1, kMostItems);
  for (const std::size_t n : o.streams) check_count<std::size_t>("--streams", n, 1, kMostStreams);
  for (const std::size_t n : o.in_flight) check_count<std::size_t>("--in-flight", n, 1, kMostInFlight);
  if (o.streams.empty()) refuse("--streams is empty", {}, "Leave it out: the default is 1.");
  if (o.percentile) check_percentile("--percentile", *o.percentile);
  if (o.percentile && !o.max_latency)
    refuse("cannot use --percentile without --max-latency", "it is the percentile of that bound");
  check_time("--max-time", o.max_time);
  ThroughputPlan p;
  p.open = open;
  p.batches = o.batches;
  p.streams = o.streams;
  p.in_flight = o.in_flight;
  p.copies = o.copies;
  if (o.max_latency) p.bound = LatencyBound{to_double(*o.max_latency), o.percentile.value_or(0.99)};
  p.shortest_seconds = effort_row(o.effort).shortest_seconds;
  p.longest_seconds = effort_row(o.effort).longest_seconds;
  p.soak_seconds = to_seconds(o.soak);
  p.largest = !o.no_largest;
  p.memory_limit = o.memory;
  hand_over_watch(o, p);
  return p;
}

CandidateOptions plan_candidate(const Candidate& c) {
  Options measure;
  measure.in_flight = c.in_flight.value_or(measure.in_flight);
  measure.graph = c.graph;
  measure.copies = c.copies;
  measure.cold_cache = c.cold_cache;
  measure.device = c.device;
  measure.stream = c.stream;
  measure.items = c.items;
  CandidateOptions o;
  o.name = c.name;
  if (const auto* model = std::get_if<Model>(&c.what)) {
    refuse_callable_options(measure, "Set what the model needs in its Model.");
    o.run = plan_run(open_options(*model), measure);
    if (o.name.empty()) o.name = model->model;
    return o;
  }
  o.callable = std::get<std::function<void()>>(c.what);
  if (!o.callable) refuse("cannot compare a callable that is empty", {});
  if (o.name.empty()) refuse("cannot compare a callable without a name", {});
  if (c.graph)
    refuse(fmt::format("cannot run '{}' as a graph", o.name), "it is a callable, which cannot be captured",
           "Replay your own graph in it.");
  check_measuring(measure);
  o.run.measure = measure;
  return o;
}

ComparePlan plan_compare(std::vector<CandidateOptions> candidates, const CompareOptions& o) {
  // The same one twice is an A/A comparison.
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto same = std::count_if(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](const CandidateOptions& c) { return c.name == candidates[i].name; });
    if (same > 0) candidates[i].name += fmt::format(" ({})", same + 1);
  }
  if (o.rounds) check_count<std::size_t>("--rounds", *o.rounds, 1, kMostRounds);
  if (o.loads) check_count<std::size_t>("--loads", *o.loads, 1, kMostLoads);
  check_share("--margin", o.margin);
  check_time("--max-time", o.max_time);
  ComparePlan p;
  p.candidates = std::move(candidates);
  p.rounds = o.rounds.value_or(effort_row(o.effort).rounds);
  p.loads = o.loads.value_or(effort_row(o.effort).loads);
  p.margin = o.margin;
  p.workers = o.workers;
  for (const std::string& text : o.fail_on) p.fail_on.push_back(parse_fail_on(text));
  p.noise_floor = o.noise_floor || !p.fail_on.empty();
  hand_over_watch(o, p);
  return p;
}

}  // namespace strobe
