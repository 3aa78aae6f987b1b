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

#include <strobe/answers.h>
#include <strobe/metric.h>

namespace strobe {

using Scalar = std::variant<bool, std::int64_t, double, std::string>;
using Scalars = std::map<std::string, Scalar, std::less<>>;

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
  bool may_vary = false;  // by design: a function of the user's may draw numbers, or keep a state from call to call
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
  EnergyAnswer energy;
  MemoryAnswer memory;
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
