// SPDX-License-Identifier: Apache-2.0
// Measure a piece of code, or a workload, and get a judged record:
//
//     strobe::Record r = strobe::measure([&] { return f(x); }, {.effort = strobe::quick});
//     std::cout << strobe::text(r);
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <strobe/error.h>
#include <strobe/record.h>
#include <strobe/workload.h>

namespace strobe {

// How much to measure: how many launches (fresh processes; a callable has one), how long each soaks and measures, and
// the margin within which a figure is said to repeat.
enum class Effort {
  glance,     // 1 launch of 1 s, in this process
  quick,      // 5 launches of 0.3 s and 1 s, 2 %
  standard,   // 10 launches of 0.7 s and 3.5 s, 1 %
  sustained,  // 5 launches of 60 s and 10 s, 1 %
};
inline constexpr Effort glance = Effort::glance;
inline constexpr Effort quick = Effort::quick;
inline constexpr Effort standard = Effort::standard;
inline constexpr Effort sustained = Effort::sustained;

// What becomes of inputs and outputs.
enum class Copies {
  none,        // they stay on the device
  serial,      // copied in and out on the stream of the work
  overlapped,  // on separate streams, beside the work of other requests
};

enum class Cache { hot, cold };
enum class Io { none, runtime };

// A pause before each request, in which the host sleeps and the device has nothing to do.
struct IdlePause {
  std::chrono::nanoseconds length{};
  bool random = false;  // as between arrivals of a Poisson process: drawn for each request, with this mean

  bool operator==(const IdlePause&) const = default;
};

struct Progress {
  std::string phase;  // "warm-up", "measuring"
  std::chrono::nanoseconds elapsed{}, at_most{};
  std::size_t done = 0, of = 0;  // where their number is known …
  std::string what;              // … of these: "requests"
  bool waiting = false;          // for one thing of unknown length: a load, a first request …
  std::string hint;              // … and why it may take long
};

struct Options {
  std::string name = "callable";  // what a head line shows
  Effort effort = Effort::standard;
  std::optional<double> margin = {};  // within which a figure repeats, relative: 0.01 is one per cent
  std::optional<std::chrono::nanoseconds> min_time = {};  // that counts, in each launch
  std::optional<std::chrono::nanoseconds> max_time =
      {};                                    // of all launches, from the first request on; one more at most
  std::optional<std::size_t> warmup = {};    // exactly this many requests before those that count
  std::optional<std::size_t> requests = {};  // exactly this many requests that count, in each pass
  std::optional<std::size_t> launches = {};  // run: fresh processes; 1: measure in this one. measure_fresh: loads
  std::string pass = {};  // run: latency, span or period alone, in this process, for a profiler that watches it
  std::vector<double> percentiles = {};  // to report; empty: 0.9 and 0.99
  std::size_t in_flight = 4;             // requests outstanding when throughput is measured
  bool graph = false;                    // also measure a captured graph
  bool copies = false;                   // also measure the copies of inputs and outputs
  Io io = Io::none;                      // runtime: also measure end to end through the runtime's own host tensors
  Cache cache = Cache::hot;              // cold: flush the device's cache before each request, outside its time
  std::vector<IdlePause> idle = {};      // also measure requests after each of these pauses, apart from the others
  bool energy = false;                   // also measure the energy of requests, by the device's own counter
  std::optional<double> flops = {};      // run: of one request, where the runtime cannot tell
  std::size_t items = 1;                 // items in one call of the callable: throughput counts these
  std::string device = "cpu";            // for callables
  void* stream = nullptr;                // for callables on an asynchronous device: the stream they use
  std::string pin = "auto";  // for callables and workloads: the CPUs of the calling thread while it measures: auto (on
                             // a GPU the one that it is on), off, one like 5, or a list like 0-3,8
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};  // asked between requests; true ends the run with what there is
  std::string samples = {};         // a file for every time stamp, as columns; Record::unwritten says why there is none
};

// Makes the compiler compute `x` although nothing reads it.
template <class T>
void keep(const T& x) {
  if constexpr (std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(void*))
    __asm__ volatile("" : : "r,m"(x) : "memory");
  else
    __asm__ volatile("" : : "m"(x) : "memory");
}

// What a call would ignore is an Error (usage): `launches` and `flops`, and of a workload also `device`, `stream` and
// `items`, which it has itself. The calling thread may run afterwards where it might before.
Record measure(std::function<void()> callable, const Options& = {});
Record measure(Workload& workload, const Options& = {});

// A callable that returns a value: the value is kept.
template <class F>
  requires(std::is_invocable_v<F&> && !std::is_base_of_v<Workload, F> && !std::is_void_v<std::invoke_result_t<F&>>)
Record measure(F callable, const Options& options = {}) {
  return measure(std::function<void()>([f = std::move(callable)]() mutable { keep(f()); }), options);
}

// Loads afresh, measures what was loaded as one launch, and destroys it, several times: as often as `run` launches.
// Where memory, streams and threads come to lie is drawn anew for each load, so their spread is in the interval; what
// is drawn once a process is not, and the record says so (`one_process`). `launches` sets how many. What `load` or a
// loaded object throws comes out of the first load; later it ends the measurement with the loads that are complete.
//
//     strobe::measure_fresh([] { return [net = Net("a.bin")]() mutable { return net.run(); }; });
Record measure_fresh(std::function<std::function<void()>()> load, const Options& = {});
Record measure_fresh(std::function<std::unique_ptr<Workload>()> load, const Options& = {});

// Any other function that loads: what it returns is called, and may be movable only; a value that this gives is kept.
template <class Load>
Record measure_fresh(Load load, const Options& options = {}) {
  using Loaded = std::decay_t<std::invoke_result_t<Load&>>;
  if constexpr (std::is_convertible_v<Loaded, std::unique_ptr<Workload>>) {
    return measure_fresh(std::function<std::unique_ptr<Workload>()>([&load] { return load(); }), options);
  } else if constexpr (std::is_same_v<Loaded, std::function<void()>>) {
    return measure_fresh(std::function<std::function<void()>()>([&load] { return load(); }), options);
  } else {
    static_assert(std::is_invocable_v<Loaded&>,
                  "measure_fresh takes a function that returns what to measure: a callable or a unique_ptr<Workload>");
    const auto shared = [&load] {
      const auto loaded = std::make_shared<Loaded>(load());
      return std::function<void()>([loaded] {
        if constexpr (std::is_void_v<std::invoke_result_t<Loaded&>>)
          (*loaded)();
        else
          keep((*loaded)());
      });
    };
    return measure_fresh(std::function<std::function<void()>()>(shared), options);
  }
}

// One of several launches.
struct Launch {
  std::size_t number = 1, of = 1;
  std::optional<std::chrono::nanoseconds> max_time = {};  // for what it measures; none: what the effort says
  std::chrono::nanoseconds patience{};                    // after this it has failed
};

// Launches that only the caller can make: `launch` starts a fresh process, measures there with the same options (but
// `launches`, and `max_time` as it is told) and returns the record. How many there are, what becomes of one that throws
// an Error, and the result for the next launch are as of `run`.
Record measure_launches(const std::function<Record(const Launch&)>& launch, const Options& = {});

// A step of a pipeline. Steps are handed over in their order; on a device with streams those of one stream work in
// order, and what works on the host runs beside them.
struct PipelineStep {
  std::string name;
  std::function<void()> run;
  bool host = false;                    // its work is done when it returns; on the CPU that is true of every step
  void* stream = nullptr;               // on an asynchronous device: the stream it works on; null: the default one
  std::vector<std::string> after = {};  // earlier steps that must have ended before this one begins
  std::size_t repeat = 1;               // times it is done in an iteration, up to 100,000
};

struct PipelineOptions {
  std::string name = "pipeline";  // what a head line shows
  std::string device = "cpu";
  std::size_t rounds = 32;                     // each runs every method twice; up to 100,000
  std::optional<std::size_t> iterations = {};  // of each method, at least; up to 100,000; none: turns of 20 ms
  std::size_t in_flight = 1;                   // above 1: iterations that overlap are measured, too; each step then
                                               // begins again while the device may still work on its last times
  std::optional<std::size_t> launches = {};    // of a pipeline's file: fresh processes that share the rounds
  std::optional<std::chrono::nanoseconds> max_time = {};  // no further round once it is up
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};             // asked after each iteration; true ends the run with what there is
  std::function<void(Record&)> complete = {};  // of steps: adds what only the caller knows, before the record is judged
};

// Times the steps by three methods, on a device with a queue by four, and by none, in turns: what each reads, and how
// much it slows what it measures.
//
//     strobe::Record r = strobe::pipeline({{"large", f}, {"prepare", g}, {"small", h}});
Record pipeline(std::vector<PipelineStep>, const PipelineOptions& = {});

}  // namespace strobe
