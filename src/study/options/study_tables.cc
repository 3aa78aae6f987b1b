// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "measure/listings.h"
#include "measure/pipeline/pipeline_rounds.h"
#include "option/member.h"
#include "record/metric_names.h"
#include "record/reported.h"
#include "study/options/pauses.h"
#include "study/options/row_requests.h"
#include "study/options/tables.h"
#include "study/options/words.h"

namespace strobe {
namespace {

constexpr std::string_view kWhichMethods = "Which methods, how often", kSearched = "What to search",
                           kEachTrial = "How long", kCompared = "How to compare",
                           kPipelineHead = "On what, and how long", kProfiled = "How much",
                           kWeighed = "How much, and whether it fits";

std::vector<std::string> listing_words() {
  std::vector<std::string> words = listing_names();
  words.emplace_back(kEveryListing);
  return words;
}

// What is measured only where somebody asks: it takes long.
constexpr std::array<std::string_view, 1> kOtherMetrics{metric::energy};

constexpr std::array kMethodsTable{
    Option<MethodsOptions>{"methods", "LIST", kWhichMethods, "only these, for example naive,sync,event",
                           member<&MethodsOptions::methods, kinds::ListOf<kinds::Text>>()},
    Option<MethodsOptions>{"method", "AXES", kWhichMethods,
                           "this combination of axes, for example clock=device,wait=none,scope=block; repeatable",
                           member<&MethodsOptions::method, kinds::Texts>()},
    Option<MethodsOptions>{
        "like",
        "NAME",
        kWhichMethods,
        "the listing of this name as it stands, for example do_bench or events-300; all: each in turn",
        member<&MethodsOptions::like, kinds::Text>(),
        {.recorded = Recorded::where_given, .suggestions = listing_words}},
    Option<MethodsOptions>{"warmup",
                           "N",
                           kWhichMethods,
                           "requests before those that count (default 5)",
                           member<&MethodsOptions::warmup, kinds::Count<0>>(),
                           {.recorded = Recorded::always, .may_differ = true}},
    Option<MethodsOptions>{"requests",
                           "N",
                           kWhichMethods,
                           "requests that count, for each method (default 45)",
                           member<&MethodsOptions::requests, kinds::RowRequests>(),
                           {.recorded = Recorded::always, .may_differ = true}},
    Option<MethodsOptions>{"idle",
                           "LIST",
                           kWhichMethods,
                           "a further row for requests after each of these pauses: 10ms,1s,poisson:1s",
                           member<&MethodsOptions::idle, kinds::Pauses>(),
                           {.recorded = Recorded::where_given, .may_differ = true}},
    Option<MethodsOptions>{"launches",
                           "N",
                           kWhichMethods,
                           "read in N fresh processes (default 5); 1: in this one",
                           member<&MethodsOptions::launches, kinds::Count<1>>(),
                           {.may_differ = true, .handed_on = false}},
    Option<MethodsOptions>{"max-time", "TIME", kWhichMethods, "end with what there is once this is over",
                           member<&MethodsOptions::max_time, kinds::TimeAboveZero>()},
};

using Search = ThroughputOptions;

// "1,2,4", or "auto": no number.
struct StreamCounts : kinds::ListOf<kinds::Count<1, kMostStreams>> {
  using Numbers = kinds::ListOf<kinds::Count<1, kMostStreams>>;
  static constexpr std::string_view kAuto = "auto";

  static void read(const std::vector<std::string>& typed, std::string_view option, std::vector<std::size_t>& v) {
    if (typed.back() != kAuto) Numbers::read(typed, option, v);
  }
  static void describe(const std::vector<std::size_t>& v, const std::string& key, Scalars& s) {
    if (v.empty())
      s[key] = std::string(kAuto);
    else
      Numbers::describe(v, key, s);
  }
};

std::vector<std::string> usual_streams() {
  return {std::string(StreamCounts::kAuto)};
}

constexpr std::array kThroughputTable{
    Option<Search>{"batches",
                   "LIST",
                   kSearched,
                   "only these batches: 1,2,4,8",
                   member<&Search::batches, kinds::ListOf<kinds::Count<1, kMostItems>>>(),
                   {.recorded = Recorded::where_given}},
    Option<Search>{
        "streams",
        "LIST",
        kSearched,
        "sessions at once, each on a thread with its share of the CPU: 1,2,4; streams of OpenVINO, auto: found",
        member<&Search::streams, StreamCounts>(),
        {.recorded = Recorded::where_given, .suggestions = usual_streams}},
    Option<Search>{"in-flight",
                   "LIST",
                   kSearched,
                   "requests outstanding on each stream: 1,2,4 (default on a GPU 4; within a bound 1,2,4)",
                   member<&Search::in_flight, kinds::ListOf<kinds::Count<1, kMostInFlight>>>(),
                   {.recorded = Recorded::where_given}},
    Option<Search>{"copies",
                   "WORD",
                   kSearched,
                   "of inputs and outputs: none, serial or overlapped",
                   member<&Search::copies, kinds::OneOf<kCopyWords>>(),
                   {.recorded = Recorded::where_given}},
    Option<Search>{"max-latency",
                   "TIME",
                   kSearched,
                   "highest throughput whose latency under load stays within this",
                   member<&Search::max_latency, kinds::Time>(),
                   {.recorded = Recorded::where_given}},
    Option<Search>{"percentile",
                   "P",
                   kSearched,
                   "of --max-latency (default 99)",
                   member<&Search::percentile, kinds::Percentile>(),
                   {.recorded = Recorded::where_given}},
    Option<Search>{"memory",
                   "BYTES",
                   kSearched,
                   "what a trial on the CPU may use, for example 2GiB (default: 90 % of what is free)",
                   member<&Search::memory, kinds::Size>(),
                   {.recorded = Recorded::where_given}},
    Option<Search>{"soak",
                   "TIME",
                   kSearched,
                   "how long the largest batch must run (default 30s)",
                   member<&Search::soak, kinds::Time>(),
                   {.recorded = Recorded::where_given, .may_differ = true}},
    Option<Search>{"no-largest",
                   {},
                   kSearched,
                   "do not search for the largest batch that fits",
                   member<&Search::no_largest, kinds::Without>(),
                   {.recorded = Recorded::where_given, .may_differ = true}},
    Option<Search>{"metric",
                   "WORD",
                   kSearched,
                   "energy: the most items a joule, instead of the most items a second",
                   member<&Search::metric, kinds::TextOf<kOtherMetrics>>(),
                   {.recorded = Recorded::where_given}},
    Option<Search>{"effort",
                   "WORD",
                   kEachTrial,
                   "of each trial: quick (1 to 3 s), standard (2 to 10 s) or sustained (10 to 60 s)",
                   member<&Search::effort, kinds::OneOf<kEffortWords>>(),
                   {.recorded = Recorded::always, .may_differ = true}},
    Option<Search>{"launches",
                   "N",
                   kEachTrial,
                   "measure the answer again in N fresh processes, which alone are reported (default 3, standard 5)",
                   member<&Search::launches, kinds::Count<1>>(),
                   {.recorded = Recorded::where_given, .may_differ = true}},
    Option<Search>{"max-time",
                   "TIME",
                   kEachTrial,
                   "of the whole search: end with the trials so far once this is over",
                   member<&Search::max_time, kinds::TimeAboveZero>(),
                   {.recorded = Recorded::where_given, .may_differ = true}},
};

constexpr std::array kCompareTable{
    Option<CompareOptions>{"effort", "WORD", kCompared, "quick (8 pairs), standard (16) or sustained (32)",
                           member<&CompareOptions::effort, kinds::OneOf<kEffortWords>>()},
    Option<CompareOptions>{"pairs",
                           "N",
                           kCompared,
                           "how often every candidate is launched in a fresh process (default by --effort)",
                           member<&CompareOptions::pairs, kinds::Count<1, kMostComparedPairs>>(),
                           {.recorded = Recorded::always}},
    Option<CompareOptions>{"max-time",
                           "TIME",
                           kCompared,
                           "end with the pairs so far once this is over",
                           member<&CompareOptions::max_time, kinds::TimeAboveZero>(),
                           {.recorded = Recorded::where_given}},
    Option<CompareOptions>{"margin",
                           "SHARE",
                           kCompared,
                           "equivalent means: within this (default 1%)",
                           member<&CompareOptions::margin, kinds::Share>(),
                           {.recorded = Recorded::always, .of_stored = true}},
    Option<CompareOptions>{"fail-on",
                           "WHAT=SHARE",
                           kCompared,
                           "exit 1 when a candidate is certainly worse by more than this, 3 when undecided: slower=2%, "
                           "p99=5%, throughput=2%, memory=10%; repeatable",
                           member<&CompareOptions::fail_on, kinds::Texts>(),
                           {.of_stored = true}},
    Option<CompareOptions>{"metric",
                           "WORD",
                           kCompared,
                           "energy: also that of requests, in a window of 5 s of each launch",
                           member<&CompareOptions::metric, kinds::TextOf<kOtherMetrics>>(),
                           {.recorded = Recorded::where_given}},
    Option<CompareOptions>{"noise-floor",
                           {},
                           kCompared,
                           "also the first candidate against itself; --fail-on does this, too",
                           member<&CompareOptions::noise_floor, kinds::Flag>(),
                           {.recorded = Recorded::where_given, .of_stored = true}},
};

constexpr std::array kPipelineTable{
    Option<PipelineOptions>{"iterations",
                            "N",
                            kPipelineHead,
                            "iterations of each method over all launches, at least, instead of the file's",
                            member<&PipelineOptions::iterations, kinds::Count<1, kMostPipelineIterations>>(),
                            {.recorded = Recorded::where_given}},
    Option<PipelineOptions>{"rounds",
                            "N",
                            kPipelineHead,
                            "over all launches; each runs every method twice (default 32; fewer cannot say what marks "
                            "cost)",
                            member<&PipelineOptions::rounds, kinds::Count<1, kMostPipelineRounds>>(),
                            {.recorded = Recorded::always}},
    Option<PipelineOptions>{"in-flight",
                            "N",
                            kPipelineHead,
                            "also with N iterations in flight: the host prepares the next while the device works; "
                            "what that wins, and what is busy then (default 1: one at a time)",
                            member<&PipelineOptions::in_flight, kinds::Count<1, kMostIterationsInFlight>>(),
                            {.recorded = Recorded::where_given}},
    Option<PipelineOptions>{"launches",
                            "N",
                            kPipelineHead,
                            "fresh processes that share the rounds (default 8); 1: measure in this one",
                            member<&PipelineOptions::launches, kinds::Count<1>>(),
                            {.may_differ = true,
                             .handed_on = false,
                             .not_callables = "a fresh process has no callable of yours",
                             .instead = "Run your program several times."}},
    Option<PipelineOptions>{"max-time",
                            "TIME",
                            kPipelineHead,
                            "measure at most this long, from the first iteration on",
                            member<&PipelineOptions::max_time, kinds::TimeAboveZero>(),
                            {.recorded = Recorded::where_given}},
};

constexpr std::array kProfileTable{
    Option<ProfileOptions>{"requests",
                           "N",
                           kProfiled,
                           "requests under the profiler in each launch (default: about a second of them)",
                           member<&ProfileOptions::requests, kinds::Count<1>>(),
                           {.recorded = Recorded::where_given, .may_differ = true}},
    Option<ProfileOptions>{
        "launches",
        "N",
        kProfiled,
        "fresh processes with the profiler, in turns with as many without (default 6); 1: all in this one",
        member<&ProfileOptions::launches, kinds::Count<1>>(),
        {.may_differ = true, .handed_on = false}},
    Option<ProfileOptions>{"max-time",
                           "TIME",
                           kProfiled,
                           "of all launches: fewer where they do not fit",
                           member<&ProfileOptions::max_time, kinds::TimeAboveZero>(),
                           {.may_differ = true}},
    Option<ProfileOptions>{"save-trace", "FILE", kProfiled,
                           "write what the first profiled launch recorded of the device to FILE, as JSON",
                           member<&ProfileOptions::save_trace, kinds::Text>()},
};

constexpr std::array kMemoryTable{
    Option<MemoryOptions>{"requests",
                          "N",
                          kWeighed,
                          "requests in steady state, in each launch (default 50): a leak must show in them",
                          member<&MemoryOptions::requests, kinds::Count<1>>(),
                          {.recorded = Recorded::always, .may_differ = true}},
    Option<MemoryOptions>{"graph",
                          {},
                          kWeighed,
                          "also capture a graph, after all requests",
                          member<&MemoryOptions::graph, kinds::Flag>(),
                          {.recorded = Recorded::where_given}},
    Option<MemoryOptions>{
        "limit",
        "BYTES",
        kWeighed,
        "does it fit into this much, for example 2GiB? Exit 1 where it does not, 3 where that is undecided",
        member<&MemoryOptions::limit, kinds::Size>(),
        {.recorded = Recorded::where_given, .may_differ = true, .handed_on = false}},
    Option<MemoryOptions>{
        "launches",
        "N",
        kWeighed,
        "fresh processes that are weighed, beside one that records allocations (default 5); 1: in this one",
        member<&MemoryOptions::launches, kinds::Count<1>>(),
        {.may_differ = true, .handed_on = false}},
    Option<MemoryOptions>{"max-time",
                          "TIME",
                          kWeighed,
                          "of all launches: fewer where they do not fit",
                          member<&MemoryOptions::max_time, kinds::TimeAboveZero>(),
                          {.may_differ = true}},
};

}  // namespace

std::span<const Option<MethodsOptions>> methods_table() {
  return kMethodsTable;
}

std::span<const Option<ThroughputOptions>> throughput_table() {
  return kThroughputTable;
}

std::span<const Option<CompareOptions>> compare_table() {
  return kCompareTable;
}

std::span<const Option<PipelineOptions>> pipeline_table() {
  return kPipelineTable;
}

std::span<const Option<ProfileOptions>> profile_table() {
  return kProfileTable;
}

std::span<const Option<MemoryOptions>> memory_table() {
  return kMemoryTable;
}

}  // namespace strobe
