// SPDX-License-Identifier: Apache-2.0
#include "measure/request_loop.h"

#include "device/host_lock.h"
#include "measure/queue.h"

namespace strobe {
namespace {

std::size_t depth_of(const Overlapping* overlapping, const Device& device, std::size_t in_flight) {
  if (overlapping) return overlapping->outstanding();
  return device.can().asynchronous ? in_flight : 1;
}

}  // namespace

RequestLoop::RequestLoop(Workload& workload, std::size_t in_flight, Copies copies)
    : workload_(workload),
      stream_(workload.stream()),
      clock_(stream_.device().clock()),
      overlapping_(workload.overlapping()),
      in_flight_(depth_of(overlapping_, stream_.device(), in_flight)),
      copies_(copies),
      begun_(overlapping_ ? overlapping_->places() : 0) {
  const std::size_t ends = 4 * in_flight_ + 8;
  if (copies_ == Copies::overlapped) {
    in_ = stream_.device().stream();
    out_ = stream_.device().stream();
    in_->reserve_ends(ends);
    out_->reserve_ends(ends);
    computed_.resize(workload.input_sets());
    fetched_.resize(workload.input_sets());
  }
  reuse_is_soon_ = computed_.size() < ends;
  stream_.reserve_ends(ends);
}

FullWindow RequestLoop::run(const Goal& goal, Conductor& conductor, const std::function<bool()>& halt,
                            std::vector<Completion>& completions) {
  if (overlapping_) {
    run_overlapping(goal, conductor, halt, completions);
    return {};
  }
  Queue<nanoseconds> queue(end_stream(), in_flight_);  // when each began
  EndMarks marks(end_stream());
  std::size_t done = 0, queued = 0;
  const auto complete = [&] {
    const nanoseconds begin = queue.pop();
    completions.push_back({begin, clock_.now()});
    ++done;
  };
  while (!halt() && conductor.more(goal, {done, done}, clock_.now())) {
    if (queue.full()) complete();
    take_host_lock();
    const nanoseconds begin = clock_.now();
    queue.push(begin, enqueue(request_++));
    if (queued++ >= in_flight_) marks.begin_once(queued - 1);
  }
  marks.end();
  while (!queue.empty()) complete();
  return marks.window(queued);
}

// Whichever ends first makes room for the next, and it ended when the runtime says so: the host may hear of it later.
void RequestLoop::run_overlapping(const Goal& goal, Conductor& conductor, const std::function<bool()>& halt,
                                  std::vector<Completion>& completions) {
  std::size_t done = 0, out = 0;
  const auto complete = [&] {
    const Overlapping::End end = overlapping_->next_end();
    completions.push_back({begun_[end.place], end.at});
    ++done;
    --out;
  };
  while (!halt() && conductor.more(goal, {done, done}, clock_.now())) {
    if (out == in_flight_) complete();
    take_host_lock();
    const nanoseconds begin = clock_.now();
    begun_[overlapping_->start(request_++)] = begin;
    ++out;
  }
  while (out > 0) complete();
}

Mark RequestLoop::enqueue(std::size_t request) {
  if (copies_ == Copies::overlapped) return enqueue_overlapped(request);
  if (copies_ == Copies::serial) workload_.copy_in(request, stream_, HostMemory::pinned);
  workload_.submit(request);
  if (copies_ == Copies::serial) workload_.copy_out(request, stream_, HostMemory::pinned);
  return stream_.end();
}

// Buffers of an input set are free again when the request before that used them has been computed and fetched. Of many
// sets each was used so long ago that the host has waited for that request, and that its marks are others by now.
Mark RequestLoop::enqueue_overlapped(std::size_t request) {
  const std::size_t set = request % computed_.size();
  if (reuse_is_soon_ && computed_[set]) in_->after(stream_, *computed_[set]);
  workload_.copy_in(request, *in_, HostMemory::pinned);
  stream_.after(*in_, in_->end());
  if (reuse_is_soon_ && fetched_[set]) stream_.after(*out_, *fetched_[set]);
  workload_.submit(request);
  computed_[set] = stream_.end();
  out_->after(stream_, *computed_[set]);
  workload_.copy_out(request, *out_, HostMemory::pinned);
  fetched_[set] = out_->end();
  return *fetched_[set];
}

}  // namespace strobe
