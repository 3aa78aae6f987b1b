// SPDX-License-Identifier: Apache-2.0
// What studies answer beside metrics: comparisons and conditions on them, what a search found, what the results of a
// pipeline mean, where a request's time goes, and what memory goes to. Parts of a record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <strobe/metric.h>

namespace strobe {

// Two cases against each other in one metric.
struct Comparison {
  std::string a, b;  // names of cases
  std::string metric;
  Estimate ratio;           // b / a
  std::string outcome;      // of b against a: faster, slower (smaller, larger), equivalent, cannot-tell
  std::uint64_t pairs = 0;  // of launches; of a pipeline launches, or the rounds of its only one; of stored records the
                            // launches of the smaller side
  std::optional<std::uint64_t> needs;     // cannot-tell: how many it would take, roughly
  std::optional<double> percentile = {};  // which one was compared: 0.99; absent: the medians
  std::optional<double> detectable = {};  // a difference that as many pairs would find in 80 of 100 cases, relative
  bool noise_floor = false;               // b is a once more: what cannot be told apart here
};

// What became of a condition that the user set on a comparison (`--fail-on p99=5%`), for one candidate.
struct FailOn {
  std::string condition;  // as typed
  std::string candidate;  // the name of its case
  std::string metric;     // that decided; empty: there was none
  std::string outcome;    // passed, failed, cannot-tell
  std::string why;        // one sentence
};

// A stretch of one resource on the one time line of host and device.
struct TimelineSpan {
  std::string lane, name;
  double begin_ns = 0, end_ns = 0;
  std::optional<std::uint64_t> iteration = {};  // where several overlap: which
};

// How long a lane of the time line idles, as a share of the iteration.
struct LaneIdle {
  std::string lane;
  double share = 0;
  std::string during = {};  // what fills most of that elsewhere: "large on main"
};

// What a search found. What was not looked for, or not found, is absent.
struct SearchAnswer {
  std::optional<std::int64_t> best_batch = {};     // the smallest within 5 % of the best rate
  std::optional<std::int64_t> fastest_batch = {};  // the one that had it
  std::optional<std::int64_t> batch_trials = {};   // that it took
  std::optional<std::int64_t> wave = {};           // one item more than this costs over 5 % of the rate
  std::optional<double> most_items_per_second = {}, half_rate_batch = {};  // of the line through all points
  std::string fixed_batch = {};                                            // why there is no batch to look for
  std::string fastest = {};  // of several streams or requests in flight: the name of its case
  std::optional<std::int64_t> streams = {},
                              in_flight = {};            // of the point that is reported: sessions, requests of each
  std::optional<std::uint64_t> memory_limit_bytes = {};  // that batches had to fit into
  std::optional<std::int64_t> largest_batch = {};        // that was confirmed
  std::string largest_state = {};                        // how, or why it was not looked for
  std::optional<std::int64_t> predicted_largest = {};    // where memory should end, by how it grew
  std::optional<std::int64_t> fails_at = {};             // the smallest above the largest that was seen to fail
  std::string fails_because = {};                        // its outcome
  std::optional<std::int64_t> reserve_bytes = {};        // of memory, left at the largest
  std::string bound = {};                                // of --max-latency: met, not-met, cannot-tell
  std::string bound_point = {};                          // the name of the case that met it
  std::optional<std::int64_t> bound_batch = {};          // its batch
  std::string bound_undecided = {};                      // a faster case that may keep it …
  std::optional<double> bound_undecided_rate = {};       // … its rate …
  std::optional<std::int64_t> bound_needs = {};          // … and the fewest requests that would prove it
  std::string bound_stopped_by = {};                     // a case that did not run, and how it ended

  bool operator==(const SearchAnswer&) const = default;
};

// How busy a lane is while iterations of a pipeline overlap, as shares of the period.
struct LaneUse {
  std::string lane;
  double work = 0;                      // its stages, each as long as it takes in isolation
  std::optional<double> occupied = {};  // from where a stage begins on it until it ends, gaps within included
  std::string stage = {};               // the one with most of that work
};

// Iterations that overlap. How long one takes then, and how that compares with one at a time, are cases.
struct OverlapAnswer {
  std::uint64_t in_flight = 0;              // at most
  std::string bound = {};                   // lane: one is full; in-flight: none is; empty: launches disagree
  std::string bottleneck = {};              // the lane that is full
  std::vector<LaneUse> lanes = {};          // the busiest first
  std::vector<TimelineSpan> timeline = {};  // of a stretch of a few periods, from 0 on
  double timeline_ns = 0;                   // how long that is
};

// What the results of a pipeline mean. Of each stage: `bound` and `gain` of Stage.
struct PipelineAnswer {
  std::string marks = {};                              // cheap, dear, cannot-tell
  std::optional<double> marks_cost = {};               // relative; may be negative
  std::optional<double> marks_cost_at_most = {};       // upper end of its interval
  std::optional<double> timeline_latency_ns = {};      // of the iteration that the time line shows
  std::optional<double> timeline_uncertainty_ns = {};  // between the clocks of host and device
  std::optional<double> replay_error = {};             // of the replayed schedule against the undisturbed latency
  std::vector<LaneIdle> idle = {};
  std::optional<std::uint64_t> iterations_a_turn = {};  // of each method, before the next has its turn
  std::optional<OverlapAnswer> overlap = {};            // with --in-flight
};

// A stretch of seconds between two steps of a counter of energy, the queue always full.
struct EnergyWindowResult {
  std::uint64_t launch = 1;
  double length_ns = 0, joules = 0;
  double requests = 0;  // completed in it; a part of one counts as that part
};

// Where figures of energy come from: the counter, its windows, and what the device takes idle.
struct EnergyAnswer {
  std::string source = {};                                      // who counts: NVML, RAPL; empty: no energy was measured
  std::string scope = {};                                       // what is in it
  std::vector<EnergyWindowResult> windows = {};                 // of all launches
  std::optional<double> idle_before_w = {}, idle_after_w = {};  // of several launches their means
  double step_ns = 0, read_ns = 0;  // of the counter: from one step to the next; what one reading takes
  double error = 0;                 // how far a window may be off because of where it begins and ends, relative
  double took_ns = 0;               // all of it, in a launch
};

// A part of the model in one request, as a profiler saw it.
struct LayerResult {
  std::string name = {}, type = {};    // "conv1", "Conv"
  std::string where = {};              // what ran it, as the runtime calls it
  double calls = 0;                    // in a request
  std::optional<double> kernels = {};  // likewise, on a device that works by itself
  double share = 0;                    // of the time of the requests that were profiled
  Estimate time = {};                  // ns of a request that are its own
  std::vector<double> launches = {};   // the same of each launch
};

// Kernels of one name.
struct KernelResult {
  std::string name = {};
  double calls = 0;    // in a request
  double share = 0;    // of the time that the device works
  Estimate time = {};  // ns of a request
};

// What becomes of a request's time, as shares of it. Of the device: busy + starved + drained + pipeline = 1; of both:
// both + host_only + device_only + neither = 1.
struct ActivityShares {
  Estimate busy = {}, starved = {}, drained = {}, pipeline = {};
  Estimate both = {}, host_only = {}, device_only = {}, neither = {};
  Estimate concurrency = {};            // pieces of work that run at the same time, while any does
  Estimate copies_beside_kernels = {};  // share of the request in which both run
  Estimate calls = {};                  // of the host that hand work over, in a request: of a graph one
};

// How a device's work was recorded, and what is known to be wrong with it.
struct TraceQuality {
  std::string tracer = {};               // and its version; empty: there was none
  std::string held_by = {};              // another profiler, because of which there was none
  std::uint64_t records = 0;             // of the device's work, in all launches
  std::uint64_t lost = 0;                // of these: dropped, without a time, or handed over by nobody
  std::uint64_t early = 0;               // begin before the call that handed them over
  double earliest_ns = 0;                // by this much at most
  std::optional<double> clock_ns = {};   // how exactly the clocks of tracer and host are joined
  std::optional<double> excess_ns = {};  // a kernel reads this much longer than its own clock says
  std::uint64_t differing_requests = 0;  // whose kernels are not those of most
  std::string first_difference = {};     // what the first of them has instead
};

// A layer in two profiles.
struct LayerDifference {
  std::string name = {}, type = {};
  std::optional<double> before_ns = {}, after_ns = {};  // absent: only the other one has it
  std::optional<Estimate> ratio = {};                   // after / before
  std::string outcome = {};                             // faster, slower, equivalent, cannot-tell
};

// Where the time of a request goes. What a request takes is among the metrics, and was measured without a profiler.
struct ProfileAnswer {
  std::uint64_t requests = 0;                     // that were profiled, in all launches
  std::string profiler = {};                      // whose layers they are, and how exact
  std::optional<Estimate> slowdown = {};          // latency with the profiler / without
  std::vector<LayerResult> layers = {};           // in the order of the model
  std::string why_no_layers = {};                 // where there are none
  std::optional<double> unattributed = {};        // of a device's work, a share of the request: of no layer
  std::optional<double> outside = {};             // share of the request in which no layer runs
  std::vector<KernelResult> kernels = {};         // the longest first
  std::optional<ActivityShares> activity = {};    // of an asynchronous device
  std::string why_no_trace = {};                  // where that is missing
  std::optional<TraceQuality> trace = {};         // how the device's work was recorded
  std::optional<double> threads_busy = {};        // on the CPU: threads that worked at a time
  std::vector<LayerDifference> differences = {};  // of two stored profiles, the largest first
};

// A stretch of a launch: load, first request, warm-up, steady, graph capture.
struct MemoryPhase {
  std::string name = {};
  double begin_ns = 0, end_ns = 0;  // since the launch began
  std::uint64_t requests = 0;       // in it, of a launch
  Estimate peak = {}, end = {};     // bytes: the most at once, and what there is when it is over
};

struct MemoryPoint {
  double at_ns = 0, bytes = 0;
};

// From request to request, in steady state.
struct MemoryGrowth {
  Estimate per_request = {};   // bytes
  std::uint64_t requests = 0;  // of a launch
  std::string outcome = {};    // grows, steady, cannot-tell
};

// Memory that is counted in one way: of the device, of the process, of its cgroup.
struct MemoryPlace {
  std::string name = {}, counted = {};  // "device"; by what, in one phrase
  double before = 0;                    // bytes, when nothing was loaded yet
  std::vector<MemoryPhase> phases = {};
  std::optional<MemoryGrowth> growth = {};
  std::vector<MemoryPoint> curve = {};  // of the first launch
};

// What bytes are for: "weights", "workspace"; "the allocator's", "unexplained".
struct MemoryPart {
  std::string name = {};
  Estimate bytes = {};
};

// What an allocator has when all requests were made. It gives out `in_use` of what it has `reserved`.
struct MemoryAllocator {
  std::string name = {};
  Estimate in_use = {}, reserved = {}, peak = {};
  double fragmentation = 0;  // share of the reserved that is not in use
};

// An allocation, or the end of one.
struct MemoryEvent {
  double at_ns = 0, bytes = 0;  // negative: given back
  std::string phase = {}, cause = {}, layer = {};
};

// Does it fit into what `--limit` allows?
struct MemoryFit {
  std::uint64_t limit_bytes = 0;
  double margin_bytes = 0;   // what is left beside the upper end of the peak's interval; negative: it is missing
  std::string outcome = {};  // fits, does-not-fit, cannot-tell
  std::optional<double> requests_left = {};  // where memory grows: until the limit is reached
};

// What memory goes to. The peak is the metric `memory`.
struct MemoryAnswer {
  std::uint64_t requests = 0;            // in steady state, of all launches
  std::vector<MemoryPlace> places = {};  // the metric is the first one's
  std::vector<MemoryPart> parts = {};    // of the first place at the end of the last phase: they add up to it
  std::optional<MemoryAllocator> allocator = {};
  std::string why_no_allocator = {};
  std::uint64_t recorded = 0;                // allocations and their ends, in a launch of their own
  std::vector<MemoryEvent> events = {};      // the largest of them, in their order
  std::vector<MemoryPart> peak_causes = {};  // of the recorded ones, when they were the most at once
  std::string recorder = {};                 // who told of them, and what it does not see
  std::string why_no_events = {};
  std::optional<MemoryFit> fit = {};
};

}  // namespace strobe
