// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "option/member.h"
#include "study/options/pauses.h"
#include "study/options/tables.h"
#include "study/options/words.h"

namespace strobe {
namespace {

constexpr std::string_view kHowLong = "How long", kWhatElse = "What else to measure";

constexpr OptionTraits kAlwaysButMayDiffer{.recorded = Recorded::always, .may_differ = true};
constexpr OptionTraits kGivenButMayDiffer{.recorded = Recorded::where_given, .may_differ = true};

constexpr std::array kMeasureTable{
    Option<Options>{"effort", "WORD", kHowLong,
                    "glance (1 launch of 1 s), quick (5 of 1.5 s), standard (10 of 4 s) or sustained (5 of 70 s)",
                    member<&Options::effort, kinds::OneOf<kEffortWords>>(), kAlwaysButMayDiffer},
    Option<Options>{"margin", "SHARE", kHowLong, "within which a result repeats, for example 0.5%",
                    member<&Options::margin, kinds::Share>(), kAlwaysButMayDiffer},
    Option<Options>{"warmup", "N", kHowLong, "exactly N requests before those that count, instead of a soak",
                    member<&Options::warmup, kinds::Count<0>>(), kGivenButMayDiffer},
    Option<Options>{"requests", "N", kHowLong, "exactly N requests that count, in each pass of each launch",
                    member<&Options::requests, kinds::Count<1>>(), kGivenButMayDiffer},
    Option<Options>{"min-time", "TIME", kHowLong, "measure this long in each launch, for example 5s",
                    member<&Options::min_time, kinds::Time>(), kAlwaysButMayDiffer},
    Option<Options>{"max-time", "TIME", kHowLong,
                    "measure at most this long in all, from the first request on; one more at most",
                    member<&Options::max_time, kinds::TimeAboveZero>(), kAlwaysButMayDiffer},
    Option<Options>{"percentiles", "LIST", kHowLong, "report these, for example 90,99,99.9",
                    member<&Options::percentiles, kinds::ListOf<kinds::Percentile>>(), kAlwaysButMayDiffer},
    Option<Options>{"launches",
                    "N",
                    kHowLong,
                    "measure in N fresh processes, whatever the effort says; 1: in this one",
                    member<&Options::launches, kinds::Count<1>>(),
                    {.may_differ = true,
                     .handed_on = false,
                     .not_callables = "a fresh process has no callable of yours",
                     .instead = "Take measure_fresh, which loads anew, or run your program several times."}},
    Option<Options>{"pass",
                    "NAME",
                    kWhatElse,
                    "latency, span or period alone and in this process, for a profiler that watches it",
                    member<&Options::pass, kinds::TextOf<kPassWords>>(),
                    {.recorded = Recorded::where_given,
                     .not_callables = "a profiler that watches a callable sees the whole program"}},
    Option<Options>{"in-flight",
                    "N",
                    kWhatElse,
                    "requests outstanding when throughput is measured (default 4)",
                    member<&Options::in_flight, kinds::Count<1, kMostInFlight>>(),
                    {.recorded = Recorded::always,
                     .of_candidates = true,
                     .of_all = "requests outstanding when throughput is measured (default 4)"}},
    Option<Options>{"graph",
                    {},
                    kWhatElse,
                    "also measure a captured graph",
                    member<&Options::graph, kinds::Flag>(),
                    {.recorded = Recorded::always, .of_candidates = true, .of_all = "run as a captured graph"}},
    Option<Options>{"copies",
                    {},
                    kWhatElse,
                    "also measure the copies of inputs and outputs",
                    member<&Options::copies, kinds::Flag>(),
                    {.recorded = Recorded::always,
                     .of_candidates = true,
                     .of_all = "also compare the copies of inputs and outputs"}},
    Option<Options>{"io",
                    "WORD",
                    kWhatElse,
                    "runtime: also measure end to end through the runtime's own host tensors",
                    member<&Options::io, kinds::OneOf<kIoWords>>(),
                    {.recorded = Recorded::where_given, .of_candidates = true}},
    Option<Options>{"cache",
                    "WORD",
                    kWhatElse,
                    "hot, or cold: flush the device's cache before each request",
                    member<&Options::cache, kinds::OneOf<kCacheWords>>(),
                    {.recorded = Recorded::always,
                     .of_candidates = true,
                     .of_all = "hot, or cold: flush the device's cache before each request"}},
    Option<Options>{"idle", "LIST", kWhatElse,
                    "also measure requests that begin after such pauses, for example 10ms,1s,poisson:1s",
                    member<&Options::idle, kinds::Pauses>(), kGivenButMayDiffer},
    Option<Options>{"energy",
                    {},
                    kWhatElse,
                    "also measure the energy of requests: at least five windows of 5 s in all",
                    member<&Options::energy, kinds::Flag>(),
                    {.recorded = Recorded::where_given, .may_differ = true}},
    Option<Options>{"flops",
                    "N",
                    kWhatElse,
                    "operations of one request, where the model file does not say",
                    member<&Options::flops, kinds::AboveZero>(),
                    {.not_callables = "the work of a request is shown of models only"}},
    Option<Options>{"samples",
                    "FILE",
                    kWhatElse,
                    "write every time stamp of the first launch to FILE, as CSV",
                    member<&Options::samples, kinds::Text>(),
                    {.handed_on = false}},
};

template <auto Member>
bool is_given(const Options& o) {
  return o.*Member != Options{}.*Member;
}

constexpr std::array kCallableMembers{
    CallableMember{"name", is_given<&Options::name>, true}, CallableMember{"device", is_given<&Options::device>, false},
    CallableMember{"stream", is_given<&Options::stream>, false}, CallableMember{"pin", is_given<&Options::pin>, true},
    CallableMember{"items", is_given<&Options::items>, false}};

}  // namespace

std::span<const CallableMember> callable_members() {
  return kCallableMembers;
}

std::span<const Option<Options>> measure_table() {
  return kMeasureTable;
}

}  // namespace strobe
