// SPDX-License-Identifier: Apache-2.0
#include "measure/memory_log.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "record/estimates.h"
#include "record/outcome_words.h"
#include "stats/growth.h"

namespace strobe {
namespace {

constexpr nanoseconds kBetweenSamples = 5ms;
constexpr std::size_t kMostSamples = 2000;   // then every second one is dropped, and the interval doubled
constexpr nanoseconds kBetweenPhases = 1us;  // of a virtual clock, which else stands still from one to the next
constexpr double kNoGrowth = 0.01;           // of the level, over all requests

}  // namespace

Estimate read_once(double value) {
  return make_estimate(value, {}, {}, "it was read in one launch");
}

MemoryGrowth memory_growth(const std::vector<double>& levels) {
  MemoryGrowth g{.requests = levels.empty() ? 0 : levels.size() - 1, .outcome = growth_word::cannot_tell};
  const auto e = stats::growth(levels);
  if (!e) return g;
  g.per_request = make_estimate(e->value, e->low, e->high, kTooFewRequests);
  if (!g.per_request.bounded()) return g;
  if (*e->low > 0)
    g.outcome = growth_word::grows;
  else if (*e->high * static_cast<double>(g.requests) <= kNoGrowth * levels.front())
    g.outcome = growth_word::steady;
  return g;
}

// What is resident, read beside a call that takes long.
class MemoryLog::Sampler {
 public:
  explicit Sampler(nanoseconds zero) : zero_(zero), thread_([this] { run(); }) {}
  ~Sampler() { join(); }
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  std::vector<MemoryPoint> stop() {
    join();
    return std::move(points_);
  }

 private:
  void run() {
    const auto meter = process_meter();
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, interval_, [this] { return done_; })) {
      points_.push_back({to_double(SteadyClock().now() - zero_), meter->now()});
      if (points_.size() >= kMostSamples) thin();
    }
  }
  void thin() {
    for (std::size_t i = 0; 2 * i + 1 < points_.size(); ++i) points_[i] = points_[2 * i + 1];
    points_.resize(points_.size() / 2);
    interval_ *= 2;
  }
  void join() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  const nanoseconds zero_;
  nanoseconds interval_ = kBetweenSamples;
  std::vector<MemoryPoint> points_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;  // last: it starts when everything else is there
};

MemoryLog::MemoryLog() : zero_(machine_.now()) {
  add(process_meter());
  add(cgroup_meter());
}

MemoryLog::~MemoryLog() = default;

void MemoryLog::add(std::unique_ptr<MemoryMeter> meter) {
  if (!meter) return;
  Place& p = places_.emplace_back();
  p.told.name = meter->name();
  p.told.before = meter->before();
  p.meter = std::move(meter);
}

double MemoryLog::since_begin() const {
  return to_double(clock_->now() - zero_);
}

double MemoryLog::read(Place& p) {
  const double bytes = p.meter->now();
  p.most = std::max(p.most, bytes);
  p.told.curve.push_back({since_begin(), bytes});
  return bytes;
}

void MemoryLog::opened(Device& device) {
  if (device.info().kind == "simulated") {
    sampler_.reset();
    places_.clear();
    clock_ = &device.clock();
    zero_ = clock_->now();
    phase_begin_ = 0;
  }
  auto meter = device_meter(device);
  if (!meter) return;
  add(std::move(meter));
  std::rotate(places_.begin(), places_.end() - 1, places_.end());
  read(places_.front());
}

void MemoryLog::begin(std::string phase, bool beside) {
  phase_ = std::move(phase);
  phase_begin_ = since_begin();
  for (Place& p : places_) {
    p.most = 0;
    p.meter->forget();
    const double now = read(p);
    if (phase_ == memory_phase::steady) p.levels = {now};
  }
  if (beside && clock_ == &machine_) sampler_ = std::make_unique<Sampler>(zero_);
}

void MemoryLog::request_done() {
  for (Place& p : places_) p.levels.push_back(read(p));
}

void MemoryLog::end(std::size_t requests) {
  const std::vector<MemoryPoint> beside = sampler_ ? sampler_->stop() : std::vector<MemoryPoint>();
  sampler_.reset();
  for (Place& p : places_) {
    if (p.told.name == memory_place::process) {
      for (const MemoryPoint& x : beside) p.most = std::max(p.most, x.bytes);
      p.told.curve.insert(p.told.curve.end(), beside.begin(), beside.end());
      std::stable_sort(p.told.curve.begin(), p.told.curve.end(),
                       [](const MemoryPoint& a, const MemoryPoint& b) { return a.at_ns < b.at_ns; });
    }
    const double now = read(p), most = std::max(p.most, p.meter->peak().value_or(0));
    p.told.phases.push_back({phase_, phase_begin_, since_begin(), requests, read_once(most), read_once(now)});
  }
  if (clock_ != &machine_) clock_->sleep(kBetweenPhases);
}

std::vector<MemoryPlace> MemoryLog::take() {
  std::vector<MemoryPlace> all;
  for (Place& p : places_) {
    p.told.counted = p.meter->counted();
    if (!p.levels.empty()) p.told.growth = memory_growth(p.levels);
    all.push_back(std::move(p.told));
  }
  places_.clear();
  return all;
}

}  // namespace strobe
