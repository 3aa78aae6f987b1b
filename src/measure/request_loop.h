// SPDX-License-Identifier: Apache-2.0
// One workload's requests as fast as they are answered, with a fixed number outstanding: the loop inside a closed loop.
// When it begins and ends, and what follows from its completions, is for whoever runs it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <strobe/measure.h>
#include <strobe/workload.h>

#include "device/device.h"
#include "measure/conductor.h"
#include "measure/end_marks.h"

namespace strobe {

struct Completion {
  nanoseconds begin{}, done{};
};

class RequestLoop {
 public:
  // `in_flight`: on a queue; a call that returns when the work is done has one, and requests that a runtime makes
  // beside each other are as many as it was opened for.
  RequestLoop(Workload&, std::size_t in_flight, Copies);

  std::size_t in_flight() const { return in_flight_; }
  Clock& clock() { return clock_; }
  std::unique_ptr<HostThread> host_thread() { return stream_.device().host_thread(); }

  // As many as the conductor wants, or until `halt` says so; appends them in the order of completion. What the device
  // saw of those behind the first that fill the queue.
  FullWindow run(const Goal&, Conductor&, const std::function<bool()>& halt, std::vector<Completion>& completions);

 private:
  void run_overlapping(const Goal&, Conductor&, const std::function<bool()>& halt, std::vector<Completion>&);
  Stream& end_stream() { return out_ ? *out_ : stream_; }
  Mark enqueue(std::size_t request);
  Mark enqueue_overlapped(std::size_t request);

  Workload& workload_;
  Stream& stream_;
  Clock& clock_;
  Overlapping* overlapping_;  // null: requests end in their order
  std::size_t in_flight_;
  Copies copies_;
  std::unique_ptr<Stream> in_, out_;
  std::vector<std::optional<Mark>> computed_, fetched_;  // of each input set
  bool reuse_is_soon_ = false;                           // while their marks are still there
  std::vector<nanoseconds> begun_;                       // of the request at each place
  std::size_t request_ = 0;
};

}  // namespace strobe
