// SPDX-License-Identifier: Apache-2.0
#include "measure/pipeline/overlap.h"

#include <algorithm>

#include "device/host_lock.h"
#include "measure/pipeline/pipeline_timer.h"

namespace strobe {

Overlap::Overlap(Pipeline& p, std::size_t depth, std::size_t most)
    : p_(p),
      clock_(p.device->clock()),
      depth_(depth),
      marked_(p.stages.size()),
      ends_(depth * p.stages.size()),
      begins_(most),
      lane_done_(p.lanes.size()) {
  flying_.reserve(depth);
  for (std::size_t lane = 0; lane < p.lanes.size(); ++lane) {
    std::size_t marks = 0, last = p.stages.size();
    for (std::size_t i = 0; i < p.stages.size(); ++i) {
      if (p.stages[i].lane != lane) continue;
      last = i;
      marked_[i] = p.stages[i].awaited;
    }
    if (last == p.stages.size()) continue;
    last_of_lane_.push_back(last);
    marked_[last] = true;
    for (std::size_t i = 0; i < p.stages.size(); ++i) marks += p.stages[i].lane == lane && marked_[i] ? 1U : 0U;
    p.lanes[lane].stream->reserve_ends(depth * marks);
    p.lanes[lane].stream->reserve(2);  // of the two iterations that are timed
  }
}

std::size_t Overlap::iterations_for(std::size_t counted, std::size_t depth) {
  const std::size_t cycles = (counted + depth - 1) / depth;
  return depth + cycles * depth + 1 + depth;
}

bool Overlap::waits_before(std::size_t stage) const {
  return stage == p_.stages.size() || (p_.stages[stage].host && !p_.stages[stage].after.empty());
}

bool Overlap::stage_done(const Flying& f, std::size_t stage) {
  return stream_of(stage).reached(end_of(f.number, stage));
}

// What it waits for: of the end of an iteration, all streams.
bool Overlap::reached(const Flying& f) {
  const auto& stages = f.next == p_.stages.size() ? last_of_lane_ : p_.stages[f.next].after;
  return std::all_of(stages.begin(), stages.end(), [&](std::size_t i) { return stage_done(f, i); });
}

void Overlap::wait(const Flying& f) {
  const auto& stages = f.next == p_.stages.size() ? last_of_lane_ : p_.stages[f.next].after;
  for (const std::size_t i : stages) {
    if (!stage_done(f, i)) stream_of(i).wait(end_of(f.number, i));
  }
}

// The oldest that can go on without a wait, and without overtaking an older one.
Overlap::Flying* Overlap::ready() {
  std::size_t passed = p_.stages.size() + 1;
  for (Flying& f : flying_) {
    if (f.next >= passed) return nullptr;
    if (reached(f)) return &f;
    passed = f.next;
  }
  return nullptr;
}

// Keep what follows free of allocation, options and I/O: whatever stands here is inside the number.
void Overlap::submit(const Flying& f, std::size_t i) {
  PipelineStage& stage = p_.stages[stage_ = i];
  Seen* seen = watch_.stages ? watch_.stages + f.number * p_.stages.size() + i : nullptr;
  if (!stage.host) {
    for (const std::size_t k : stage.after) stream_of(i).after(stream_of(k), end_of(f.number, k));
  }
  if (seen) take_host_lock();
  if (seen && stage.lane) seen->first = stream_of(i).mark();
  if (seen) seen->begin = clock_.now();
  for (std::uint32_t r = 0; r < stage.repeat; ++r) stage.work->submit(f.number + r);
  if (seen) seen->end = clock_.now();
  if (seen && stage.lane) seen->last = stream_of(i).mark();
  if (marked_[i]) mark_end(f, i);
}

// A mark that can be read costs what one does that is only waited for, so the iterations that are timed take no longer
// than the others.
void Overlap::mark_end(const Flying& f, std::size_t i) {
  const bool last_of_lane = std::find(last_of_lane_.begin(), last_of_lane_.end(), i) != last_of_lane_.end();
  if (!last_of_lane || !is_timed(f.number)) {
    end_of(f.number, i) = stream_of(i).end();
    return;
  }
  end_of(f.number, i) = lane_done_[*p_.stages[i].lane][f.number == watch_.first ? 0 : 1] = stream_of(i).mark();
}

void Overlap::go_on(Flying& f) {
  if (f.next == p_.stages.size()) {
    flying_.erase(flying_.begin());  // none overtakes the oldest
    return;
  }
  do {
    submit(f, f.next);
    ++f.next;
  } while (!waits_before(f.next));
  if (f.next == p_.stages.size() && is_timed(f.number)) host_done_[f.number == watch_.first ? 0 : 1] = clock_.now();
}

std::size_t Overlap::fly(std::size_t depth, std::size_t count, Conductor& conductor) {
  std::size_t begun = 0;
  flying_.clear();
  try {
    while (true) {
      Flying* f = ready();
      if (!f && begun < count && flying_.size() < depth && !conductor.stopped()) {
        take_host_lock();
        begins_[begun] = clock_.now();
        f = &flying_.emplace_back(Flying{begun++, 0});
      }
      if (!f && flying_.empty()) break;
      if (!f) wait(*(f = &flying_.front()));
      go_on(*f);
    }
    p_.device->synchronize();
  } catch (const std::exception&) {
    PipelineTimer::rethrow_from(p_.stages[stage_]);
  }
  return begun;
}

bool Overlap::take(std::size_t depth, std::size_t counted, Conductor& conductor, OverlapTurn& turn) {
  const std::size_t count = iterations_for(counted, depth);
  p_.device->synchronize();
  watch_ = {.first = depth, .last = count - 1 - depth};
  if (fly(depth, count, conductor) < count) return false;
  turn.iterations = watch_.last - watch_.first;
  turn.lengths = {host_done_[1] - host_done_[0]};
  for (std::size_t lane = 0; lane < p_.lanes.size(); ++lane) {
    const bool used = std::any_of(last_of_lane_.begin(), last_of_lane_.end(),
                                  [&](std::size_t i) { return p_.stages[i].lane == lane; });
    const auto& [first, last] = lane_done_[lane];
    turn.lengths.push_back(used ? p_.lanes[lane].stream->between(first, last) : 0ns);
  }
  return true;
}

OverlapView Overlap::look(std::size_t depth, std::size_t counted, Conductor& conductor) {
  const std::size_t count = iterations_for(counted, depth), width = p_.stages.size();
  std::vector<Seen> seen(count * width);
  std::vector<Anchor> before, after;
  for (const Lane& lane : p_.lanes) lane.stream->reserve(2 * kAnchorTries + 2 * count * width);
  p_.device->synchronize();
  for (const Lane& lane : p_.lanes) before.push_back(take_anchor(*lane.stream, clock_));
  OverlapView view;
  watch_ = {.stages = seen.data()};
  if (fly(depth, count, conductor) < count) return view;
  std::vector<ClockMap> maps;
  for (std::size_t i = 0; i < p_.lanes.size(); ++i) {
    after.push_back(take_anchor(*p_.lanes[i].stream, clock_));
    maps.emplace_back(*p_.lanes[i].stream, before[i], after[i]);
    view.uncertainty = std::max(view.uncertainty, maps[i].uncertainty());
    view.within_reach = view.within_reach && maps[i].within_reach();
  }
  const std::size_t last = count - 1 - depth;
  const nanoseconds zero = begins_[depth];
  view.first = depth;
  view.iterations = last - depth;
  view.length = begins_[last] - zero;
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t i = 0; i < width; ++i) {
      const Seen& s = seen[n * width + i];
      OverlapSpan& span = view.spans.emplace_back(OverlapSpan{n, i, s.begin - zero, s.end - zero});
      if (!p_.stages[i].lane) continue;
      const ClockMap& map = maps[*p_.stages[i].lane];
      span.device_begin = map.host_time(s.first) - zero;
      span.device_end = span.device_begin + stream_of(i).between(s.first, s.last);
    }
  }
  return view;
}

}  // namespace strobe
