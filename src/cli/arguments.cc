// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "cli/choices.h"
#include "study/efforts.h"
#include "study/library/plans.h"
#include "workload/runtime/plugins.h"

namespace strobe::cli {
namespace {

int parse_threads(const std::string& text) {
  const std::int64_t n = parse_count(1, text, "--threads");
  check_threads(n);
  return static_cast<int>(n);
}

// "ids=0..30000" or "0..1" for all inputs.
std::pair<std::string, ValueRange> named_range(const std::string& text) {
  const std::size_t eq = text.find('=');
  if (eq == std::string::npos) return {"*", parse_range(text, "--input-range")};
  if (eq == 0)
    throw Error(ErrorCode::usage, fmt::format("cannot read --input-range '{}'", text), "nothing is before the '='",
                "Write name=low..high, for example ids=0..30000.");
  return {text.substr(0, eq), parse_range(text.substr(eq + 1), "--input-range")};
}

// "batch=8,sequence=64" is what two options say. No shape and no range has a comma, and a name with one has no '=' in
// front of it.
std::vector<std::string> single_assignments(const std::vector<std::string>& given) {
  std::vector<std::string> single;
  for (const std::string& text : given) {
    const auto parts = split(text, ',');
    const bool several = std::all_of(parts.begin(), parts.end(),
                                     [](std::string_view p) { return p.find('=') != std::string_view::npos; });
    if (several)
      single.insert(single.end(), parts.begin(), parts.end());
    else
      single.push_back(text);
  }
  return single;
}

// Two values for one name would make one of them a lie.
template <class Value>
void insert(std::map<std::string, Value>& to, std::pair<std::string, Value> entry, const char* option) {
  const std::string name = entry.first;
  if (!to.insert(std::move(entry)).second)
    throw Error(ErrorCode::usage, fmt::format("{} is given twice for '{}'", option, name), {},
                "Leave one of them out.");
}

std::vector<std::string> runtime_names() {
  std::vector<std::string> names;
  for (const RuntimeEntry& r : known_runtimes()) names.emplace_back(r.name);
  return names;
}

}  // namespace

std::int64_t parse_count(std::int64_t least, const std::string& text, const char* option, std::int64_t most) {
  const std::int64_t n = parse_integer(text, option);
  if (n >= least && n <= most) return n;
  throw Error(ErrorCode::usage, fmt::format("cannot read {} '{}'", option, text),
              n < least ? fmt::format("it must be at least {}", least) : fmt::format("it must be at most {}", most));
}

nanoseconds parse_max_time(const std::string& text) {
  const nanoseconds time = parse_time(text, "--max-time");
  if (time <= 0ns) throw Error(ErrorCode::usage, "--max-time is 0", "it must be above 0");
  return time;
}

void ModelArguments::declare(CLI::App& app) {
  app.add_option("MODEL", model, "a file, zoo:NAME, sim:NAME, sim:key=value,… or work:spin=100us")->required();
  declare_options(app);
}

void ModelArguments::declare_options(CLI::App& app) {
  begin_group(app, "What to measure, and on what");
  suggest(app, app.add_option("--device", device, "auto, cpu, cuda or cuda:N")->type_name("DEVICE"),
          {"auto", "cpu", "cuda"});
  suggest(app,
          app.add_option("--runtime", runtime, "by default the one that reads the file's suffix")->type_name("NAME"),
          runtime_names());
  app.add_option("--batch", batch, "items in a request, instead of the batch of --shape (default 1)")->type_name("N");
  app.add_option("--shape", shapes,
                 "shape of an input, ids=1x128 or ids=1x128:i64; or size of a named dimension, sequence=128")
      ->type_name("NAME=SHAPE")
      ->allow_extra_args(false);
  app.add_option("--input", inputs, "values of an input from a .npy file")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  app.add_option("--input-range", ranges, "random values of an input within low..high")
      ->type_name("NAME=LOW..HIGH")
      ->allow_extra_args(false);
  app.add_option("--threads", threads, "threads of the runtime on the CPU")->type_name("N");
  one_of(app, app.add_option("--dtype", dtype, "convert weights and inputs: fp16 or bf16 (torch)")->type_name("WORD"),
         {"fp16", "bf16"});
  one_of(app, app.add_option("--layout", layout, "order of images in memory: channels_last (torch)")->type_name("WORD"),
         {"channels_last"});
  app.add_flag("--no-optimize", no_optimize, "without the runtime's optimisation for inference");
  app.add_option("--set", settings, "a setting of the runtime, passed through")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  suggest(app,
          app.add_option("--pin", pin, "CPUs to submit from: auto (near the GPU), off, or a list like 0-3,8")
              ->type_name("CPUS"),
          {"auto", "off"});
  app.add_option("--seed", seed, "of random inputs (default 1)")->type_name("N");
}

OpenOptions ModelArguments::parse() const {
  OpenOptions o;
  o.model = model;
  o.device = device;
  o.runtime = runtime;
  o.pin = pin;
  if (!batch.empty()) o.batch = parse_count(1, batch, "--batch");
  if (!threads.empty()) o.threads = parse_threads(threads);
  if (!seed.empty()) o.seed = static_cast<std::uint64_t>(parse_count(0, seed, "--seed"));
  o.dtype = dtype;
  o.layout = layout;
  o.no_optimize = no_optimize;
  for (const std::string& s : single_assignments(shapes)) {
    const auto [name, value] = parse_assignment(s, "--shape");
    parse_shape(value, fmt::format("--shape of '{}'", name));
    insert(o.shape, {name, value}, "--shape");
  }
  for (const std::string& s : inputs) insert(o.input, parse_assignment(s, "--input"), "--input");
  for (const std::string& s : settings) insert(o.set, parse_assignment(s, "--set"), "--set");
  for (const std::string& s : single_assignments(ranges)) insert(o.input_range, named_range(s), "--input-range");
  return o;
}

void MeasureArguments::declare(CLI::App& app) {
  begin_group(app, "How long");
  one_of(app,
         app.add_option("--effort", effort, "quick (2 to 10 s), standard (5 to 60 s) or sustained (60 to 300 s)")
             ->type_name("WORD"),
         {"quick", "standard", "sustained"});
  app.add_option("--margin", margin, "how well the median must be known, for example 0.5%")->type_name("SHARE");
  app.add_option("--warmup", warmup, "exactly N requests before those that count, instead of detecting the warm-up")
      ->type_name("N");
  app.add_option("--requests", requests,
                 "exactly N requests that count, in each pass, instead of measuring until certain")
      ->type_name("N");
  app.add_option("--min-time", min_time, "measure at least this long, for example 5s")->type_name("TIME");
  app.add_option("--max-time", max_time, "measure at most this long, from the first request on; one more at most")
      ->type_name("TIME");
  app.add_option("--percentiles", percentiles, "measure until these are bounded, for example 90,99,99.9")
      ->type_name("LIST");
  declare_what(app);
  app.add_option("--flops", flops, "operations of one request, where the model file does not say")->type_name("N");
  app.add_option("--samples", samples, "write every time stamp to FILE, as CSV")->type_name("FILE");
}

void MeasureArguments::declare_what(CLI::App& app) {
  begin_group(app, "What else to measure");
  app.add_option("--in-flight", in_flight, "requests outstanding when throughput is measured (default 4)")
      ->type_name("N");
  app.add_flag("--graph", graph, "also measure a captured graph");
  app.add_flag("--copies", copies, "also measure the copies of inputs and outputs");
  one_of(app,
         app.add_option("--io", io, "runtime: also measure end to end through the runtime's own host tensors")
             ->type_name("WORD"),
         {"runtime"});
  one_of(
      app,
      app.add_option("--cache", cache, "hot, or cold: flush the device's cache before each request")->type_name("WORD"),
      {"hot", "cold"});
}

Options MeasureArguments::parse() const {
  Options o;
  o.effort = effort_named(effort);
  if (!margin.empty()) o.margin = parse_share(margin, "--margin");
  if (!warmup.empty()) o.warmup = static_cast<std::size_t>(parse_count(0, warmup, "--warmup"));
  if (!requests.empty()) o.requests = static_cast<std::size_t>(parse_count(1, requests, "--requests"));
  if (!min_time.empty()) o.min_time = parse_time(min_time, "--min-time");
  if (!max_time.empty()) o.max_time = parse_max_time(max_time);
  if (o.min_time && o.max_time && *o.min_time > *o.max_time)
    throw Error(ErrorCode::usage, "--min-time is longer than --max-time");
  if (!in_flight.empty())
    o.in_flight = static_cast<std::size_t>(parse_count(1, in_flight, "--in-flight", std::int64_t{kMostInFlight}));
  if (!percentiles.empty()) {
    o.percentiles.clear();
    for (const std::string_view p : split(percentiles, ','))
      o.percentiles.push_back(parse_percentile(p, "--percentiles"));
    o.percentiles_gate = true;
  }
  o.cold_cache = cache == "cold";
  o.host_io = io == "runtime";
  if (!flops.empty()) o.flops = parse_number(flops, "--flops");
  if (o.flops && !(*o.flops > 0)) throw Error(ErrorCode::usage, "--flops is not above 0");
  o.graph = graph;
  o.copies = copies;
  o.samples_file = samples;
  return o;
}

}  // namespace strobe::cli
