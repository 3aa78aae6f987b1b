// SPDX-License-Identifier: Apache-2.0
// The verbs of the command line as functions: one model (run), its timing methods (methods), its best batch
// (throughput), several models or callables in turns (compare), results of before (audit). The members of the options
// are called as the options of the command line and have the same defaults (docs/cli.md). What a call would ignore is
// an Error (usage).
//
// run and methods (unless there is only one launch), throughput of models, and compare of models run the program
// `strobe` in child processes. It is looked for in $STROBE_PROGRAM, beside the library (../bin), then in $PATH, and
// must be of the library's own build.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <strobe/measure.h>
#include <strobe/model.h>
#include <strobe/record.h>

namespace strobe {

// `strobe run`. Of Options, `name`, `device`, `stream`, `pin` and `items` are for callables.
//
//     strobe::run("resnet18.onnx", {.effort = strobe::quick});
//     strobe::run({.model = "resnet18.onnx", .device = "cuda:0", .batch = 8}, {.graph = true});
Record run(const Model&, const Options& = {});
// A template, so that braces always make a Model.
template <class Name>
  requires std::is_convertible_v<const Name&, std::string_view>
Record run(const Name& model, const Options& options = {}) {
  return run(Model{.model = std::string(std::string_view(model))}, options);
}

struct MethodsOptions {
  std::vector<std::string> methods = {};                  // only these; empty, and no `method`: all
  std::vector<std::string> method = {};                   // by axes: "clock=device,wait=none,scope=block"
  std::string like = {};                                  // only this listing, as it stands: "do_bench"
  std::size_t warmup = 5;                                 // requests before those that count
  std::size_t requests = 45;                              // that count, for each method, in each launch
  std::vector<IdlePause> idle = {};                       // a further row for each of these pauses before its requests
  std::optional<std::size_t> launches = {};               // fresh processes; none: 5; 1: read in this one
  std::optional<std::chrono::nanoseconds> max_time = {};  // end with what there is once this is over
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
};

// `strobe methods`: every usual timing method side by side, and what each gets wrong.
Record methods(const Model&, const MethodsOptions& = {});

struct ThroughputOptions {
  std::vector<std::int64_t> batches = {};  // only these; empty: search
  // Sessions at once; of a runtime with streams of its own (OpenVINO) these, and empty: found.
  std::vector<std::size_t> streams = {1};
  // Requests outstanding on each; empty: 4 on a GPU, within a bound 1, 2, 4; OpenVINO: as many as it thinks best.
  std::vector<std::size_t> in_flight = {};
  Copies copies = Copies::none;  // of inputs and outputs
  std::optional<std::chrono::nanoseconds> max_latency =
      {};                                    // highest throughput whose latency under load is within this
  std::optional<double> percentile = {};     // of max_latency; none: 0.99
  Effort effort = Effort::standard;          // of each trial: 1 to 3 s, 2 to 10 s, 10 to 60 s
  std::optional<std::size_t> launches = {};  // fresh processes that measure the answer again; none: 3, standard 5
  std::optional<std::uint64_t> memory = {};  // bytes that a trial on the CPU may use; none: 90 % of what is free
  std::chrono::nanoseconds soak = std::chrono::seconds(30);  // how long the largest batch must run
  bool no_largest = false;                                   // do not search for the largest batch that fits
  std::string metric = {};  // energy: the most items a joule; empty: the most items a second
  std::optional<std::chrono::nanoseconds> max_time = {};  // of the whole search
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
};

// `strobe throughput`: the best batch, the largest that fits, the best within a latency bound. The model has no batch.
Record throughput(const Model&, const ThroughputOptions& = {});

// Work of your own that comes in batches.
struct BatchedWork {
  std::string name = "callable";                                      // what a head line shows
  std::function<std::unique_ptr<Workload>(std::int64_t batch)> make;  // its items() is the batch
};

// The same of work in this process: one launch, and no search for the largest batch, because that may end the process.
// A batch for which `make` or a request throws std::bad_alloc, or an Error with ErrorCode::out_of_memory, ends the
// search there; on the CPU it gets no more than `memory`. Anything else that they throw comes out. `streams`, `copies`,
// `launches`, `soak` and `no_largest` are for models.
//
//     strobe::throughput({.name = "net", .make = [&](std::int64_t batch) { return std::make_unique<Net>(batch); }});
Record throughput(const BatchedWork&, const ThroughputOptions& = {});

struct ProfileOptions {
  std::optional<std::size_t> requests = {};  // to profile, in each launch; none: about a second of them
  std::optional<std::size_t> launches = {};  // fresh processes with the profiler, and as many without; none: 6
  std::optional<std::chrono::nanoseconds> max_time = {};  // of all launches
  std::string save_trace = {};  // a file for what the first profiled launch recorded of the device; empty: none
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
};

// `strobe profile`: where the time of a request goes. Layers by the runtime's own profiler, in launches of their own;
// what a request takes is measured in others, without it.
Record profile(const Model&, const ProfileOptions& = {});

struct MemoryOptions {
  std::size_t requests = 50;                 // in steady state, after those that warm up, in each launch
  bool graph = false;                        // also capture a graph, after all of them
  std::optional<std::uint64_t> limit = {};   // bytes: does it fit? Record::memory.fit, and Record::failed
  std::optional<std::size_t> launches = {};  // fresh processes that are weighed, beside one that records; none: 5
  std::optional<std::chrono::nanoseconds> max_time = {};  // of all launches
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
};

// `strobe memory`: what memory goes to, phase by phase, its peak, and whether it grows from request to request. What is
// allocated for what is recorded in a launch of its own, because recording takes memory, too.
Record memory(const Model&, const MemoryOptions& = {});

// Makes a workload on the device that a comparison has opened for it, once for each pair.
using MakeWorkload = std::function<std::unique_ptr<Workload>(Device&)>;

// One side of a comparison. What makes a workload decides itself on stream and items.
struct Candidate {
  std::string name = {};  // empty: what the model is called
  std::variant<Model, std::function<void()>, MakeWorkload> what = {};
  std::optional<std::size_t> in_flight = {};  // requests outstanding when throughput is measured; none: 4
  bool graph = false;                         // run as a captured graph
  bool copies = false;                        // also compare the copies of inputs and outputs
  Cache cache = Cache::hot;                   // cold: flush the device's cache before each request
  std::string device = "cpu";                 // of a callable; a model has its own
  void* stream = nullptr;                     // of a callable on an asynchronous device
  std::string pin = "auto";                   // of a callable: as in Options; a model has its own
  std::size_t items = 1;                      // in one call of a callable
};

struct CompareOptions {
  Effort effort = Effort::standard;       // 8, 16 or 32 pairs
  std::optional<std::size_t> pairs = {};  // of launches: each loads every model once more, in a fresh process
  double margin = 0.01;                   // equivalent means: within this
  std::vector<std::string> fail_on = {};  // "slower=2%", "p99=5%", "memory=10%": the outcomes are in Record::fail_on
  bool noise_floor = false;               // also the first candidate against itself; fail_on does this, too
  std::string metric = {};                // energy: also compare that of requests, a window of 5 s in each launch
  std::optional<std::chrono::nanoseconds> max_time = {};  // end with the pairs so far once this is over
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
};

// `strobe compare`: all candidates against the first, in turns. Each launch of a model is a process of the program
// `strobe`; callables, and models beside them, stay in this process.
//
//     strobe::compare({{"loop", [&] { loop(x); }}, {"table", [&] { table(x); }}});
//     strobe::compare({{"base", strobe::Model{"base.onnx"}}, {"new", strobe::Model{"new.onnx"}}});
Record compare(const std::vector<Candidate>&, const CompareOptions& = {});

// A result of before, under the name that a comparison shows.
struct StoredRecord {
  std::string name;
  Record record;
};

struct CompareRecordsOptions {
  double margin = 0.01;                   // equivalent means: within this
  bool force = false;                     // compare although conditions differ, and doubt it
  std::vector<std::string> allow = {};    // conditions that are meant to differ: "threads"
  std::vector<std::string> fail_on = {};  // as of CompareOptions
};

// `strobe compare baseline.json new.json`: stored records against the first of them, by their launches: five a side are
// needed. What was not measured under the same conditions is refused.
Record compare_records(const std::vector<StoredRecord>&, const CompareRecordsOptions& = {});

// How to read times of another tool, where their file does not say.
struct AuditOptions {
  std::string unit = {};     // of numbers that have none: ns, us, ms or s; empty: s
  std::string column = {};   // of a table: its heading or its number, from 1
  std::string decimal = {};  // the sign in the numbers: point or comma; empty: recognised
  std::string name = {};     // which benchmark, where there are several; of times in memory what a head line shows
};

// `strobe audit`: a stored record, judged again, or times of any tool. The program wants `--times` for these; here the
// file shows what it is.
Record audit(const std::string& file, const AuditOptions& = {});
// Times that a program took itself, in their order.
Record audit(const std::vector<std::chrono::duration<double>>& times, const AuditOptions& = {});

}  // namespace strobe
