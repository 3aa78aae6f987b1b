// SPDX-License-Identifier: Apache-2.0
#include "measure/closed_loop.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <system_error>
#include <thread>

#include <strobe/error.h>

#include "base/unit_names.h"
#include "device/device.h"
#include "measure/analysis.h"
#include "measure/placement.h"
#include "measure/request_loop.h"
#include "record/metric_names.h"
#include "stats/batches.h"
#include "stats/middle.h"
#include "stats/throughput.h"

namespace strobe {
namespace {

constexpr nanoseconds kLoopWarm = 500ms, kShortestStretch = 250ms, kLongestStretch = 5s;
constexpr std::size_t kLoopWarmRequests = 6, kStretchRequests = 14, kFewestSlow = 3;
constexpr std::size_t kFewStretches = 4, kPieces = 4;

using Completions = std::vector<std::vector<Completion>>;  // by stream
using Windows = std::vector<FullWindow>;                   // by stream, too

// All loops at once, one thread each.
class Together {
 public:
  Together(std::vector<RequestLoop>& loops, const Goal& goal, Conductor& conductor, Completions& completions)
      : loops_(loops),
        goal_(goal),
        conductor_(conductor),
        completions_(completions),
        windows_(loops.size()),
        failures_(loops.size()) {
    for (RequestLoop& l : loops) hosts_.push_back(l.host_thread());
  }

  // The first error of any of them is thrown here.
  Windows run() {
    const std::exception_ptr refused = start();
    go_ = true;
    go_.notify_all();
    while (running_ > 0) {
      if (conductor_.stopped()) halt_ = true;
      loops_.front().clock().sleep(1ms);
    }
    threads_.clear();
    if (refused) std::rethrow_exception(refused);
    for (const std::exception_ptr& f : failures_) {
      if (f) std::rethrow_exception(f);
    }
    return std::move(windows_);
  }

 private:
  // Those that have begun do not wait for one that cannot be started.
  std::exception_ptr start() {
    try {
      for (; running_ < loops_.size(); ++running_) threads_.emplace_back([this, i = threads_.size()] { run_one(i); });
    } catch (const std::system_error& e) {
      halt_ = true;
      hosts_.resize(threads_.size());
      return std::make_exception_ptr(
          Error(ErrorCode::failed, "cannot start a thread for each stream", e.what(), "Take fewer --streams."));
    }
    return nullptr;
  }

  void run_one(std::size_t i) {
    go_.wait(false);  // all at once
    try {
      hosts_[i]->begin();
      windows_[i] =
          loops_[i].run(goal_, conductor_, [this] { return halt_.load(std::memory_order_relaxed); }, completions_[i]);
    } catch (...) {
      failures_[i] = std::current_exception();
      halt_ = true;
    }
    --running_;  // before others may go on: on a simulated device they see it at this time
    hosts_[i].reset();
  }

  std::vector<RequestLoop>& loops_;
  const Goal& goal_;
  Conductor& conductor_;
  Completions& completions_;
  Windows windows_;
  std::vector<std::exception_ptr> failures_;
  std::vector<std::unique_ptr<HostThread>> hosts_;
  std::atomic<bool> halt_ = false, go_ = false;
  std::atomic<std::size_t> running_ = 0;
  std::vector<std::jthread> threads_;
};

Windows run_together(std::vector<RequestLoop>& loops, const Goal& goal, Conductor& conductor,
                     Completions& completions) {
  if (loops.size() > 1) return Together(loops, goal, conductor, completions).run();
  return {loops.front().run(goal, conductor, [&] { return conductor.stopped(); }, completions.front())};
}

// The rates of all streams together, as one segment; nothing where one of them is not known.
std::optional<stats::Segment> as_the_device_saw(const Windows& windows) {
  std::size_t requests = 0;
  double rate = 0;
  for (const FullWindow& w : windows) {
    if (w.requests == 0 || w.length <= 0ns) return std::nullopt;
    requests += w.requests;
    rate += static_cast<double>(w.requests) / to_seconds(w.length);
  }
  return stats::Segment{requests + 1, 0, static_cast<double>(requests) / rate};
}

// Completions of all streams within the part of a stretch in which every queue was full, in the order of time.
std::vector<Completion> full_part(const Completions& all, const std::vector<RequestLoop>& loops) {
  nanoseconds from{}, to = nanoseconds::max();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t depth = loops[i].in_flight();
    if (all[i].size() <= 2 * depth + 1) return {};
    // The last `depth` completions came from a queue that nobody filled any more.
    from = std::max(from, all[i][depth - 1].done);
    to = std::min(to, all[i][all[i].size() - 1 - depth].done);
  }
  std::vector<Completion> part;
  for (const auto& stream : all) {
    for (const Completion& c : stream) {
      if (c.done >= from && c.done <= to) part.push_back(c);
    }
  }
  std::sort(part.begin(), part.end(), [](const Completion& a, const Completion& b) { return a.done < b.done; });
  return part;
}

void refuse_impossible(std::span<Workload* const> workloads, const LoopPlan& plan) {
  Workload& first = *workloads.front();
  if (plan.copies != Copies::none && first.copy_in(0, first.stream(), HostMemory::pinned) == 0 &&
      first.copy_out(0, first.stream(), HostMemory::pinned) == 0)
    throw Error(ErrorCode::unsupported, "cannot measure copies", "inputs and outputs are where the work is done");
  first.stream().synchronize();
}

std::vector<RequestLoop> loops_of(std::span<Workload* const> workloads, const LoopPlan& plan) {
  std::vector<RequestLoop> loops;
  for (Workload* w : workloads) loops.emplace_back(*w, plan.in_flight, plan.copies);
  return loops;
}

class ClosedLoop {
 public:
  ClosedLoop(std::span<Workload* const> workloads, const LoopPlan& plan)
      : plan_(plan),
        conductor_(plan.conductor ? *plan.conductor : alone_),
        device_(workloads.front()->stream().device()),
        clock_(device_.clock()),
        items_(workloads.front()->items()),
        loops_(loops_of(workloads, plan)) {}

  LoopResult run() {
    warm_up();
    // Threads of several streams cannot share the CPU that this one happens to be on.
    const Placement place(plan_.pin.here && !single() ? PinRule{} : plan_.pin, device_, *around_);
    const nanoseconds begin = clock_.now();
    around_->look();
    std::size_t look = 0;
    while (!result_.stopped) {
      stretch();
      result_.window = clock_.now() - begin;
      if (has_run(plan_.longest)) break;
      if (look + 1 >= kLooks || !has_run(plan_.shortest * (std::int64_t{1} << look))) continue;
      ++look;
      if (conductor_.decide(enough())) break;
    }
    around_->look();
    describe();
    return std::move(result_);
  }

 private:
  bool single() const { return loops_.size() == 1; }
  bool has_run(nanoseconds t) { return conductor_.reached(t, result_.window); }
  bool stopped() {
    result_.stopped = result_.stopped || conductor_.stopped();
    return result_.stopped;
  }

  void warm_up() {
    const nanoseconds begin = clock_.now();
    Completions seen(loops_.size());
    run_together(loops_, {.least = 1}, conductor_, seen);
    if (!seen.front().empty()) result_.first = seen.front().front().done - seen.front().front().begin;
    typical_ = conductor_.agree(result_.first);
    // One such request warms enough.
    if (typical_ > kLongestStretch || kLoopWarmRequests * typical_ > plan_.longest || stopped()) return;
    run_together(loops_, {.until = begin + kLoopWarm, .least = kLoopWarmRequests}, conductor_, seen);
    std::vector<nanoseconds> times;
    for (const Completion& c : seen.front()) times.push_back(c.done - c.begin);
    typical_ = conductor_.agree(stats::middle_of(times) / static_cast<std::int64_t>(loops_.front().in_flight()));
  }

  void stretch() {
    if (stopped()) return;
    if (plan_.between) plan_.between();
    const nanoseconds length = std::clamp<nanoseconds>(kStretchRequests * typical_, kShortestStretch, kLongestStretch);
    Completions all(loops_.size());
    for (auto& c : all) c.reserve(typical_ > 0ns ? static_cast<std::size_t>(2 * length / typical_) + 64 : 4096);
    // Filled, once through while the last of the filling leave it, run empty.
    const std::size_t least = 3 * loops_.front().in_flight() + kFewestSlow + 1;
    if (single()) around_->begin_segment();
    const Windows seen = run_together(loops_, {.until = clock_.now() + length, .least = least}, conductor_, all);
    if (single()) around_->end_segment(metric::throughput);
    if (stopped()) return;
    around_->beat();
    const std::vector<Completion> part = full_part(all, loops_);
    if (part.size() < 2) return;
    const stats::Segment by_host{part.size(), to_seconds(part.front().done), to_seconds(part.back().done)};
    segments_.push_back(as_the_device_saw(seen).value_or(by_host));
    add_pieces(part);
    for (const Completion& c : part) {
      if (c.begin < part.front().done) continue;  // handed over while queues were filling: it waited for less
      series_.values.push_back(to_double(c.done - c.begin));
      series_.at_seconds.push_back(to_seconds(c.done));
      series_.round.push_back(static_cast<std::uint32_t>(segments_.size() - 1));
    }
  }

  // Neighbours share the completion between them, so that together they are the stretch.
  void add_pieces(const std::vector<Completion>& part) {
    const std::size_t periods = part.size() - 1;
    for (const stats::Range& r : stats::even_parts(periods, std::min(kPieces, periods)))
      pieces_.push_back({r.size() + 1, to_seconds(part[r.begin].done), to_seconds(part[r.end].done)});
  }

  // Of requests so slow that there is time for few stretches, the pieces tell how certain the rate is.
  stats::Throughput rate() const {
    if (segments_.size() < kFewStretches && kStretchRequests * typical_ > kShortestStretch)
      return stats::throughput(pieces_, items_, {}, 2);
    const bool slow = kStretchRequests * typical_ > kLongestStretch;
    return stats::throughput(segments_, items_, {}, slow ? kFewestSlow : stats::kFewestCompletions);
  }

  bool enough() const {
    if (plan_.enough) return plan_.enough(series_.values);
    const auto width = stats::relative_half_width(rate().items_per_second);
    return width && *width <= plan_.margin;
  }

  void describe() {
    const stats::Throughput t = rate();
    Metric& m = result_.throughput;
    m.unit = unit::items_per_second;
    m.n = series_.values.size();
    m.n_eff = static_cast<double>(t.segments);
    m.estimate = from_stats(t.items_per_second);
    if (t.segments == 0) m.unknown = "too few requests in a row to count completions";
    Options options;
    options.percentiles = reported_percentiles(options);
    auto& percentiles = options.percentiles;
    if (plan_.percentile && std::find(percentiles.begin(), percentiles.end(), *plan_.percentile) == percentiles.end()) {
      percentiles.push_back(*plan_.percentile);
      std::sort(percentiles.begin(), percentiles.end());
    }
    result_.latency_loaded = describe_series(series_, options);
    result_.requests = series_.values.size();
    result_.latencies = std::move(series_.values);
    result_.around = around_;
  }

  const LoopPlan& plan_;
  LocalConductor alone_;
  Conductor& conductor_;
  Device& device_;
  Clock& clock_;
  std::size_t items_;
  std::shared_ptr<Surroundings> around_ = std::make_shared<Surroundings>(device_);
  std::vector<RequestLoop> loops_;
  nanoseconds typical_{};
  std::vector<stats::Segment> segments_, pieces_;
  SeriesData series_;
  LoopResult result_;
};

}  // namespace

void run_a_few(std::span<Workload* const> workloads, const LoopPlan& plan, std::size_t requests) {
  refuse_impossible(workloads, plan);
  std::vector<RequestLoop> loops = loops_of(workloads, plan);
  Completions completions(loops.size());
  LocalConductor alone;
  Conductor& conductor = plan.conductor ? *plan.conductor : alone;
  run_together(loops, {.least = requests}, conductor, completions);
  if (conductor.stopped()) throw Error(ErrorCode::interrupted, "interrupted");
}

LoopResult run_closed_loop(std::span<Workload* const> workloads, const LoopPlan& plan) {
  refuse_impossible(workloads, plan);
  return ClosedLoop(workloads, plan).run();
}

}  // namespace strobe
