// SPDX-License-Identifier: Apache-2.0
// Requests of one compiled model, started without a wait: OpenVINO runs them on its streams and calls back. Which
// tensors they have is the session's.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>

#include "workload/runtime/openvino/api.h"
#include "workload/runtime/overlapping_requests.h"

namespace strobe::openvino {

using Request = Owned<ov_infer_request_t>;

class AsyncRequests {
 public:
  // A place for each of `requests`, which outlive this. `what`: "cannot run 'a.xml'".
  AsyncRequests(const Clock&, std::size_t streams, std::size_t outstanding, std::span<const Request> requests,
                std::string what);

  OverlappingRequests& overlapping() { return overlapping_; }

 private:
  // The library keeps a pointer to what it calls.
  struct Callback {
    OverlappingRequests& all;
    std::size_t place;
    ov_callback_t told;
  };
  template <class F>
  void call(F function, std::size_t place);

  std::span<const Request> requests_;
  std::string what_;
  std::deque<Callback> callbacks_;
  OverlappingRequests overlapping_;  // waits for what is out before the rest goes
};

}  // namespace strobe::openvino
