// SPDX-License-Identifier: Apache-2.0
// The result of a measurement as plain structs. Detectors and reports read only this; its JSON form is described in
// docs/records.md. Every time is in nanoseconds, every figure carries an interval where one can be given.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace strobe {

using Scalar = std::variant<bool, std::int64_t, double, std::string>;
using Scalars = std::map<std::string, Scalar, std::less<>>;

// A figure with its 95 % interval. An absent side is unbounded: the sample is too small to bound it.
struct Estimate {
  double value = 0;
  std::optional<double> low = {}, high = {};
  bool valid = true;  // false where a side is unbounded; `why` says what there is too little of
  std::string why = {};

  bool bounded() const { return low && high; }
  // Half the interval's width relative to the value; nothing when unbounded or the value is 0.
  std::optional<double> relative_half_width() const;
};

// A percentile, or the number of requests it would need.
struct Percentile {
  double p = 0;
  std::optional<Estimate> estimate;
  std::optional<std::uint64_t> needs;
};

struct Outliers {
  std::uint64_t count = 0;
  double share = 0;       // of the samples
  double time_share = 0;  // of the time
  double largest = 0;
};

struct Mode {
  double value = 0;
  double share = 0;
};

struct LevelShift {
  double at_seconds = 0;
  double ratio = 1;  // level after / level before
};

// What the analysis saw in a series besides its location.
struct Facts {
  std::optional<double> warmup_end_seconds;
  std::optional<std::string> warmup_state;  // flat, warm-up, slow-down, not-settled
  std::optional<double> warmup_bias;        // what a longer warm-up would take off the mean
  std::optional<double> median_of_rounds;   // what a launch counts as, beside others
  std::optional<double> drift;              // relative change over the window
  std::optional<double> drift_per_minute;
  bool drifting = false;
  std::vector<LevelShift> shifts;
  bool regime_switching = false;
  std::vector<Mode> modes;
  bool modes_ordered = false;  // each mode is one stretch of time, not a mixture
  std::optional<double> lag1;
  double tick = 0;
  std::optional<std::uint64_t> rounds;                 // in which its requests were made
  std::optional<double> request_spread, round_spread;  // standard deviations, relative: within a round, of rounds
  double n_eff_tau = 1;                                // requests per independent observation
  std::optional<double> coupling;                      // first half / second half of a segment, as a ratio
  bool coupled = false;
};

struct CurveBucket {
  double at_seconds = 0;
  double low = 0, median = 0, high = 0;
  std::uint64_t n = 0;
};

struct Histogram {
  std::vector<double> edges;  // counts.size() + 1
  std::vector<std::uint64_t> counts;
};

// Launches that agree with each other and not with the rest.
struct LaunchLevel {
  double value = 0;
  std::uint64_t launches = 0;
  std::string stream = {};  // fast, slow: the level is that of the stream; empty: nobody knows
};

// Would the next run read the same?
enum class Repeat {
  repeats,             // half of the interval for the next launch is within the margin
  varies,              // it is not
  one_launch,          // nothing is known about others
  invalid,             // the figure is none
  repeats_over_loads,  // of fresh loads in one process: the next load there; another process may read otherwise
  varies_over_loads,
};

struct Standing {
  Repeat word = Repeat::one_launch;
  std::optional<double> half_width = {};  // of the interval for the next launch, relative
  std::string cause = {};                 // the id of the finding that explains most of it; empty: none does
};

struct Metric {
  std::string unit = "ns";  // ns, items/s, bytes
  std::string unknown;      // not empty: there is no figure, and this is why
  std::uint64_t n = 0;
  double n_eff = 0;
  Estimate estimate;  // the median of what is sampled; of a rate or a gauge its value
  std::optional<Estimate> mean;
  double stddev = 0, min = 0, max = 0;
  Outliers outliers;
  std::vector<Percentile> percentiles;
  Facts facts;
  std::vector<CurveBucket> curve;
  Histogram histogram;
  std::vector<LaunchLevel> levels;         // over several launches: the groups they fall into; empty where they do not
  std::optional<double> trend;             // over several launches: the relative change from one to the next
  std::optional<double> level_half_width;  // where streams make the levels: of the next launch on one of them, relative
  std::optional<double> launch_spread;     // over several launches: their standard deviation, relative
  std::optional<Standing> verdict;         // of a run

  bool known() const { return unknown.empty(); }
};

using Metrics = std::map<std::string, Metric, std::less<>>;

struct TensorInfo {
  std::string name;
  std::string type;  // f32, i64, ...
  std::vector<std::int64_t> shape;
  std::string source;  // inputs: "random", "random [0, 100)" or a file; outputs: empty
};

// A file that belongs to a model beside the one that was named: weights that an ONNX model keeps elsewhere.
struct ModelFile {
  std::string name;  // as the model calls it, relative to its folder
  std::string sha256;

  bool operator==(const ModelFile&) const = default;
};

struct ModelInfo {
  std::string path;    // as given
  std::string name;    // what a head line shows
  std::string sha256;  // of the file that was named; empty when there is none
  std::string runtime, runtime_version;
  std::vector<TensorInfo> inputs, outputs;
  std::optional<std::uint64_t> parameters;
  Scalars facts;                      // what the runtime reports about how it runs the model
  std::vector<ModelFile> files = {};  // all others that belong to it
};

struct DeviceInfo {
  std::string kind;  // cpu, cuda, simulated
  std::string name;
  bool asynchronous = false;
  Scalars facts;
  std::map<std::string, double, std::less<>> calibration;  // ns unless the key says otherwise
};

struct BuildInfo {
  std::string version, commit, build, compiler;
};

struct Startup {
  std::optional<double> load_ns, first_ns, warmup_ns;
  std::optional<std::uint64_t> warmup_requests;
};

struct GateObservation {
  bool used = false;
  std::string why_not;
  std::uint64_t voided = 0;  // samples the watchdog opened
};

struct OutputObservation {
  bool finite = true, repeatable = true, distinct = true;
  double worst_difference = 0;  // largest relative difference between runs of the same input
  std::string detail;
  bool lasting = true;         // after the last request the outputs were still what they had been before the first
  double late_difference = 0;  // by how much they were not, relative
};

// What the operating system did to the process in the measured window, as far as it was watched.
struct Disturbances {
  double watched_ns = 0;
  std::uint64_t loads = 0;               // shared libraries that were loaded
  std::vector<std::string> libraries;    // those of them that stayed
  double loading_share = 0;              // of all requests' time: what those beside the loads took beyond typical ones
  std::uint64_t major_faults = 0;        // pages that had to come from a disk
  std::uint64_t switches = 0;            // how often the measuring thread left its CPU
  std::uint64_t preemptions = 0;         // of these, against its will
  std::optional<double> waited_ns = {};  // that thread, ready to run but without a CPU
  std::optional<double> throttled_ns = {};  // stopped by the cgroup's quota, summed over CPUs
};

// Of all values of a model's float inputs.
struct ValueShares {
  double zero = 0, subnormal = 0, not_finite = 0;
  double repeated = 0;  // equal to the value that more than half of their tensor has
};

// What a request does, as far as the runtime tells.
struct WorkObservation {
  std::uint64_t nodes = 0;             // operators that were run
  std::uint64_t cpu_nodes = 0;         // of these, on the CPU
  std::uint64_t inserted_copies = 0;   // between the two, by the runtime
  std::optional<double> flops;         // of one request; a multiply-add counts 2
  std::optional<double> least_bytes;   // parameters, inputs and outputs, each moved once
  std::vector<std::string> uncounted;  // operators without a formula
};

// The stream of the work, beside others that the device makes: how long the device pauses between two kernels.
struct StreamObservation {
  double pause_ns = 0;
  std::string level;                                   // fast, slow; empty: streams are alike here
  std::optional<double> fast_pause_ns, slow_pause_ns;  // the median of each level
  std::uint64_t fast = 0, slow = 0;                    // streams of each, among those that were probed
};

// On which CPUs the measuring thread was, asked at both ends of each segment that counts. Several launches together.
struct CpuObservation {
  std::vector<std::int64_t> pinned = {};  // the only one that it might run on, of each launch; empty: it might move
  std::uint64_t moves = 0;                // how often it was on another one than when it was asked before
  std::map<std::string, std::vector<std::int64_t>, std::less<>> passes = {};  // by metric
};

struct Observations {
  std::optional<GateObservation> gate;
  std::optional<OutputObservation> outputs;
  std::optional<double> escaped_ns;  // device work after the end mark
  std::optional<double> allocations_per_request;
  std::optional<double> kernels_per_request;
  std::optional<std::uint64_t> fallback_nodes;  // operators on the CPU although a GPU was asked for
  std::optional<WorkObservation> work;
  std::optional<std::uint64_t> copied_in_bytes, copied_out_bytes;  // of one request
  std::optional<std::uint64_t> input_sets;
  std::optional<std::uint64_t> input_bytes;  // of all sets together
  std::optional<double> input_zero_share, input_repeated_share;
  std::optional<double> input_subnormal_share, input_not_finite_share;
  std::optional<double> other_input_ratio;  // latency with rotating random inputs / with the given ones
  std::optional<double> new_input_ratio;    // time of a request with inputs not seen before / with known ones
  std::map<std::string, double, std::less<>> clocks_per_pass;
  std::optional<Disturbances> disturbances;
  std::optional<CpuObservation> cpus;
  std::optional<StreamObservation> stream;
  std::optional<std::int64_t> host_numa_node;       // of the CPU that requests of a model were submitted from
  std::optional<std::uint64_t> requests_per_block;  // methods: that one method makes before the next has its turn
  std::optional<double> timeline_uncertainty_ns;    // run: how far the device's lane of `timeline` may be off
  std::vector<std::string> other_devices;  // on which this process has a context, beside the one that is measured
};

// What was sampled beside the run: a column a quantity, all of one length.
struct Telemetry {
  std::vector<double> at_seconds;
  std::map<std::string, std::vector<double>, std::less<>> columns;
  Scalars facts;
};

enum class About { measurement, workload, machine };
enum class Severity { note, warning, invalid };
enum class Verdict { trusted, caution, invalid };
enum class Status { converged, not_converged, fixed, interrupted };  // converged: in old records only

struct Finding {
  std::string id = {};
  About about = About::measurement;
  Severity severity = Severity::note;
  std::string message = {};
  std::string advice = {};
  std::map<std::string, double, std::less<>> evidence = {};
  std::string metric = {};  // the one it was seen in; empty: its kind tells which it concerns
};

// A part of a pipeline, as one method reads it.
struct Stage {
  std::string name;
  Metrics metrics;
  std::string about;                // one phrase for the report
  std::string bound = {};           // read by marks: what takes longer of it, host or device
  std::optional<double> gain = {};  // read by marks: what the iteration would gain if it were 10 % faster, relative
};

// What a trial of a search found beside its metrics.
struct TrialResult {
  std::optional<double> first_ns = {};                 // time of its first request
  std::string bound = {};                              // of --max-latency: met, not-met, cannot-tell
  std::optional<double> late_share = {};               // of its requests, beyond that limit
  std::optional<std::uint64_t> requests = {};          // from which that was decided
  std::optional<std::uint64_t> data_bytes = {};        // memory that a limit on the host counts
  std::optional<std::uint64_t> memory_available = {};  // on the device, before it began
  std::string cause = {};                              // it did not run: the part of `error` that names the reason
};

// What a check of Strobe itself compared. Both are in words: a time, a share, a band.
struct CheckResult {
  std::string expected = {}, got = {};
  std::optional<double> truth_ns = {};
};

// How awake device and host are at a moment, as far as they tell.
struct PowerReading {
  std::optional<double> device_mhz = {};    // clock of its processors
  std::optional<std::int64_t> pstate = {};  // of a GPU: 0 is the highest
  std::optional<double> cpu_mhz = {};       // of the CPU that submits
};

// Requests that begin after a pause, one at a time.
struct IdleResult {
  double pause_ns = 0;                    // before each; where it is random the mean
  bool random = false;                    // exponentially distributed
  Metrics metrics = {};                   // latency; of an asynchronous device also submit
  std::optional<double> difference = {};  // of the latency from that without a pause, relative
  PowerReading before = {}, after = {};   // at the end of such a pause; in or after the request that follows
};

// Submit times of requests that nobody waits for step up once the queue of kernel launches is full: from then on the
// host waits for the device in each submit.
struct FullQueue {
  std::uint64_t after = 0;          // requests before the first that waited, from an empty queue on
  double in_flight = 0;             // of these, not done by then
  double free_ns = 0, full_ns = 0;  // host time of a submit, before and after
};

// One of several results of a study: a method, a batch size, a candidate, a point of a sweep, a launch.
struct Case {
  std::string name;
  Scalars settings;
  Metrics metrics;
  std::vector<Finding> findings;
  std::string error;                      // not empty: there are no metrics, and this is why
  std::string about;                      // one phrase for the report
  std::optional<double> difference;       // of the reading from the reference, relative
  std::string outcome = {};               // throughput: fits, out-of-memory, unsupported, crashed, hung, wrong-output
  std::vector<Stage> stages = {};         // pipeline: what this method reads of each
  TrialResult trial = {};                 // throughput
  std::optional<ModelInfo> model = {};    // compare: what this candidate ran, with its inputs
  std::optional<DeviceInfo> device = {};  // compare: on what; doctor: which
  CheckResult check = {};                 // selftest
  std::string version = {};               // doctor: of a runtime; of a device its name
  std::string claims = {};                // methods: the metric that the reading is taken for …
  std::string statistic = {};             // … and what of it is reported and compared: median, mean, min, once
  std::string group = {};                 // methods: named, combination, chosen, listing
  std::string prints = {};                // methods: of a listing, the line that it prints
  std::optional<FullQueue> queue = {};    // methods: the host filled the queue
  std::string started_at = {};            // compare, stored: of the candidate's record …
  std::optional<std::uint64_t> launches = {};  // … and how many it has, 1 without --launches
  std::vector<IdleResult> idle = {};           // of a launch, or a point of a sweep
};

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
  Estimate concurrency = {};  // pieces of work that run at the same time, while any does
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
  std::optional<double> threads_busy = {};        // on the CPU: threads that worked at a time
  std::vector<LayerDifference> differences = {};  // of two stored profiles, the largest first
};

struct Record {
  std::string verb;
  BuildInfo strobe;
  std::vector<std::string> command;
  std::string started_at;  // ISO 8601, UTC
  double duration_ns = 0;
  Status status = Status::fixed;
  std::string status_reason;  // what was missing when the time was up, or what failed
  Scalars host;
  DeviceInfo device;
  ModelInfo model;
  Scalars settings;
  Startup startup;
  double window_ns = 0;  // wall time the estimates speak of
  Metrics metrics;
  Observations observations;
  Telemetry telemetry;
  std::vector<Case> cases;
  std::vector<Comparison> comparisons;
  std::vector<FailOn> fail_on;
  std::vector<Case> launches;  // the same measurement in fresh processes, one case each
  bool one_process = false;    // these are fresh loads in one process: no interval holds what processes differ by
  std::vector<TimelineSpan> timeline;
  std::vector<IdleResult> idle;  // by the pauses that were asked for
  SearchAnswer answer;
  PipelineAnswer pipeline;
  ProfileAnswer profile;
  std::optional<std::uint64_t> rounds;  // compare, pipeline: that were completed, over all launches
  std::optional<double> noise_floor;    // compare, stored: upper limit of the first against itself, relative
  bool failed = false;                  // a bound that the user set is not kept
  std::string undecided;                // why what was asked for has no answer
  std::string unwritten;                // why there is no file of samples
  std::vector<Finding> findings;
  Verdict verdict = Verdict::trusted;

  const Metric* find(std::string_view metric) const;  // null when absent or unknown
  const Metric* headline() const;     // latency, or the reading of somebody else; null when neither is known
  std::optional<double> gap() const;  // 1 - device_time / span
};

// Formats of a record. `text` is what the program prints; `html` is a page that needs nothing else; `json` is the
// record itself; `parse_record` reads it back.
std::string text(const Record&);
std::string html(const Record&);
std::string json(const Record&);
Record parse_record(std::string_view json);

// Replaces findings and verdict by what this version's detectors say, as `strobe audit` does. What does not come from
// detectors stays: comparisons, sweeps, several launches, self-tests.
void judge(Record&);

}  // namespace strobe
