// SPDX-License-Identifier: Apache-2.0
// strobe throughput MODEL
#include "study/search/throughput.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "cli/arguments.h"
#include "cli/choices.h"
#include "cli/verb.h"
#include "host/interrupt.h"
#include "study/efforts.h"
#include "study/library/plans.h"
#include "workload/model_files.h"

namespace strobe::cli {
namespace {

struct ThroughputArguments {
  std::string batches, streams, in_flight, copies = "none", max_latency, percentile, effort = "standard", memory,
                                           soak = "30s", max_time;
  bool no_largest = false;
};

void declare(CLI::App& app, ThroughputArguments& a) {
  begin_group(app, "What to search");
  app.add_option("--batches", a.batches, "only these batches: 1,2,4,8")->type_name("LIST");
  app.add_option("--streams", a.streams, "sessions at once, each on a thread with its share of the CPU: 1,2,4")
      ->type_name("LIST");
  app.add_option("--in-flight", a.in_flight,
                 "requests outstanding on each stream: 1,2,4 (default on a GPU 4; within a bound 1,2,4)")
      ->type_name("LIST");
  one_of(app,
         app.add_option("--copies", a.copies, "of inputs and outputs: none, serial or overlapped")->type_name("WORD"),
         {"none", "serial", "overlapped"});
  app.add_option("--max-latency", a.max_latency, "highest throughput whose latency under load stays within this")
      ->type_name("TIME");
  app.add_option("--percentile", a.percentile, "of --max-latency (default 99)")->type_name("P");
  app.add_option("--memory", a.memory,
                 "what a trial on the CPU may use, for example 2GiB (default: 90 % of what is free)")
      ->type_name("BYTES");
  app.add_option("--soak", a.soak, "how long the largest batch must run (default 30s)")->type_name("TIME");
  app.add_flag("--no-largest", a.no_largest, "do not search for the largest batch that fits");
  begin_group(app, "How long");
  one_of(app,
         app.add_option("--effort", a.effort,
                        "of each trial: quick (1 to 3 s), standard (2 to 10 s) or sustained (10 to 60 s)")
             ->type_name("WORD"),
         {"quick", "standard", "sustained"});
  app.add_option("--max-time", a.max_time, "of the whole search: end with the trials so far once this is over")
      ->type_name("TIME");
}

template <class Number>
std::vector<Number> parse_list(const std::string& text, const char* option, std::int64_t most) {
  std::vector<Number> numbers;
  for (const std::string_view n : split(text, ','))
    numbers.push_back(static_cast<Number>(parse_count(1, std::string(n), option, most)));
  return numbers;
}

ThroughputOptions parse(const ThroughputArguments& a) {
  ThroughputOptions o;
  if (!a.batches.empty()) o.batches = parse_list<std::int64_t>(a.batches, "--batches", kMostItems);
  if (!a.streams.empty()) o.streams = parse_list<std::size_t>(a.streams, "--streams", std::int64_t{kMostStreams});
  if (!a.in_flight.empty())
    o.in_flight = parse_list<std::size_t>(a.in_flight, "--in-flight", std::int64_t{kMostInFlight});
  o.copies = a.copies == "serial" ? Copies::serial : a.copies == "overlapped" ? Copies::overlapped : Copies::none;
  o.effort = effort_named(a.effort);
  if (!a.percentile.empty()) o.percentile = parse_percentile(a.percentile, "--percentile");
  if (!a.max_latency.empty()) o.max_latency = parse_time(a.max_latency, "--max-latency");
  if (!a.memory.empty()) o.memory = parse_bytes(a.memory, "--memory").count;
  o.soak = parse_time(a.soak, "--soak");
  if (!a.max_time.empty()) o.max_time = parse_max_time(a.max_time);
  o.no_largest = a.no_largest;
  return o;
}

}  // namespace

Work declare_throughput(CLI::App& app) {
  auto model = std::make_shared<ModelArguments>();
  auto a = std::make_shared<ThroughputArguments>();
  auto output = std::make_shared<OutputArguments>();
  model->declare(app);
  app.get_option("--batch")->group("");  // refused with the reason, and not offered
  declare(app, *a);
  output->declare(app, study_info(verb::throughput));
  const auto record = [=] {
    const OpenOptions open = model->parse();
    ThroughputOptions o = parse(*a);
    o.progress = output->progress();
    o.stop = [] { return Interrupt::requested(); };
    const ThroughputPlan plan = plan_throughput(open, o);
    output->check_inputs(files_read(open));
    return throughput(plan);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
