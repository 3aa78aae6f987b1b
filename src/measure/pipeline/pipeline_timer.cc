// SPDX-License-Identifier: Apache-2.0
#include "measure/pipeline/pipeline_timer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <strobe/error.h>

#include "device/host_lock.h"
#include "record/pipeline_ways.h"

namespace strobe {
namespace {

struct WayWord {
  std::string_view name, about;
};
constexpr std::array<WayWord, kPipelineWays> kWords{{
    {pipeline_way::undisturbed, "nothing but the iteration's beginning and end is timed"},
    {pipeline_way::naive, "host clock around each stage, without waiting: the cost of submission"},
    {pipeline_way::sync,
     "host clock, waiting for the device before and after each stage: stages alone, one after the other"},
    {pipeline_way::event, "marks around each stage, read after each turn: stages as they run in the pipeline"},
    {pipeline_way::event_wait,
     "marks around each stage and a wait behind it, as most listings have it: stages no longer overlap"},
}};
constexpr std::array kWays{PipelineWay::undisturbed, PipelineWay::naive, PipelineWay::sync, PipelineWay::event,
                           PipelineWay::event_wait};

}  // namespace

std::string_view name(PipelineWay w) {
  return kWords[static_cast<std::size_t>(w)].name;
}
std::string_view describe(PipelineWay w) {
  return kWords[static_cast<std::size_t>(w)].about;
}

bool has_marks(PipelineWay w) {
  return w == PipelineWay::event || w == PipelineWay::event_wait;
}

std::span<const PipelineWay> ways_on(const Device& device) {
  return std::span(kWays).first(device.can().asynchronous ? kWays.size() : kWays.size() - 1);
}

void WayIterations::append(const WayIterations& later) {
  iterations.insert(iterations.end(), later.iterations.begin(), later.iterations.end());
  stages.insert(stages.end(), later.stages.begin(), later.stages.end());
  uncertainty = std::max(uncertainty, later.uncertainty);
  within_reach = within_reach && later.within_reach;
}

PipelineTimer::PipelineTimer(Pipeline& p, std::size_t iterations)
    : p_(p),
      clock_(p.device->clock()),
      asynchronous_(p.asynchronous()),
      most_(iterations),
      iterations_(iterations),
      raw_(iterations * p.stages.size()) {
  for (std::size_t i = 0; i < p.lanes.size(); ++i) {
    const auto here = [&](const PipelineStage& s) { return s.lane == i; };
    const auto stages = static_cast<std::size_t>(std::count_if(p.stages.begin(), p.stages.end(), here));
    // The anchors before a turn must outlive its marks and the anchors after it.
    p.lanes[i].stream->reserve(2 * kAnchorTries + 2 * stages * iterations);
  }
  before_.resize(p.lanes.size());
  after_.resize(p.lanes.size());
}

// The pipeline's own waits: part of it, however it is timed.
void PipelineTimer::wait_for(const PipelineStage& stage, const Raw* raw) {
  for (const std::size_t k : stage.after) {
    Stream& other = *p_.lanes[*p_.stages[k].lane].stream;
    if (stage.host)
      other.wait(raw[k].last);
    else
      p_.lanes[*stage.lane].stream->after(other, raw[k].last);
  }
}

// Keep this loop free of allocation, options and I/O: whatever stands here is inside the number.
void PipelineTimer::iterate(PipelineWay way, Iteration& it, Raw* raw) {
  Device& device = *p_.device;
  const bool timed = way != PipelineWay::undisturbed, marks = has_marks(way), waits = way == PipelineWay::sync,
             waits_behind = way == PipelineWay::event_wait;
  take_host_lock();
  it.begin = clock_.now();
  for (std::size_t i = 0; i < p_.stages.size(); ++i) {
    PipelineStage& stage = p_.stages[stage_ = i];
    const bool marked = marks && stage.lane;
    wait_for(stage, raw);
    if (waits) device.synchronize();
    if (timed) take_host_lock();
    if (marked) raw[i].first = p_.lanes[*stage.lane].stream->mark();
    if (timed) raw[i].begin = clock_.now();
    for (std::uint32_t r = 0; r < stage.repeat; ++r) stage.work->submit(request_ + r);
    if (waits) device.synchronize();
    if (timed) raw[i].end = clock_.now();
    if (marked || stage.awaited) raw[i].last = p_.lanes[*stage.lane].stream->mark();
    if (marked && waits_behind) device.synchronize();
  }
  it.submitted = clock_.now() - it.begin;
  device.synchronize();
  it.done = clock_.now() - it.begin;
  ++request_;
}

void PipelineTimer::rethrow_from(const PipelineStage& stage) {
  try {
    throw;
  } catch (const Error& e) {
    throw Error(e.code(), fmt::format("stage '{}': {}", stage.name, e.thing()), e.cause(), e.advice());
  } catch (const std::exception& e) {
    throw Error(ErrorCode::failed, fmt::format("stage '{}' failed", stage.name), e.what());
  }
}

void PipelineTimer::iterate_or_name(PipelineWay way, Iteration& it, Raw* raw) {
  try {
    iterate(way, it, raw);
  } catch (const std::exception&) {
    rethrow_from(p_.stages[stage_]);
  }
}

void PipelineTimer::anchor(std::vector<Anchor>& anchors) {
  for (std::size_t i = 0; i < p_.lanes.size(); ++i) anchors[i] = take_anchor(*p_.lanes[i].stream, clock_);
}

bool PipelineTimer::take(PipelineWay way, std::uint32_t round, std::uint32_t turn, Conductor& conductor,
                         WayIterations& taken) {
  p_.device->synchronize();
  // Before every turn, although only one way needs it: the others must not meet another device than it does.
  if (asynchronous_) anchor(before_);
  std::size_t n = 0;
  bool stopped = false;
  while (n < most_ && !stopped) {
    iterations_[n].round = round;
    iterations_[n].turn = turn;
    iterate_or_name(way, iterations_[n], raw_.data() + n * p_.stages.size());
    ++n;
    stopped = conductor.stopped();
  }
  if (asynchronous_) anchor(after_);
  read(way, n, taken);
  return !stopped;
}

nanoseconds PipelineTimer::run_once() {
  Iteration it;
  iterate_or_name(PipelineWay::undisturbed, it, raw_.data());
  return it.done;
}

void PipelineTimer::read(PipelineWay way, std::size_t count, WayIterations& taken) {
  std::vector<ClockMap> maps;
  if (asynchronous_ && way == PipelineWay::event) {
    for (std::size_t i = 0; i < p_.lanes.size(); ++i) {
      maps.emplace_back(*p_.lanes[i].stream, before_[i], after_[i]);
      taken.uncertainty = std::max(taken.uncertainty, maps.back().uncertainty());
      taken.within_reach = taken.within_reach && maps.back().within_reach();
    }
  }
  for (std::size_t n = 0; n < count; ++n) {
    const Iteration& it = taken.iterations.emplace_back(iterations_[n]);
    for (std::size_t i = 0; i < p_.stages.size(); ++i) {
      const PipelineStage& stage = p_.stages[i];
      const Raw& raw = raw_[n * p_.stages.size() + i];
      StageTimes& t = taken.stages.emplace_back();
      if (way == PipelineWay::undisturbed) continue;
      t.begin = raw.begin - it.begin;
      t.end = raw.end - it.begin;
      t.reading = t.end - t.begin;
      if (!has_marks(way) || !stage.lane) continue;
      t.reading = p_.lanes[*stage.lane].stream->between(raw.first, raw.last);
      if (maps.empty()) continue;
      t.device_begin = maps[*stage.lane].host_time(raw.first) - it.begin;
      t.device_end = t.device_begin + t.reading;
    }
  }
}

}  // namespace strobe
