// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/openvino/async_requests.h"

#include <utility>

namespace strobe::openvino {

AsyncRequests::AsyncRequests(const Clock& clock, std::size_t streams, std::size_t outstanding,
                             std::span<const Request> requests, std::string what)
    : requests_(requests),
      what_(std::move(what)),
      // A request has called back before its wait returns, so nothing of it is running then.
      overlapping_(clock, {.streams = streams,
                           .outstanding = outstanding,
                           .places = requests.size(),
                           .start = [this](std::size_t place) { call(api().start_async, place); },
                           .finish = [this](std::size_t place) { call(api().wait, place); }}) {
  const auto tell = [](void* callback) {
    const auto& done = *static_cast<const Callback*>(callback);
    done.all.ended(done.place);
  };
  for (std::size_t place = 0; place < requests_.size(); ++place) {
    Callback& c = callbacks_.emplace_back(Callback{overlapping_, place, ov_callback_t{tell, nullptr}});
    c.told.args = &c;
    check(api().set_callback(requests_[place].get(), &c.told));
  }
}

template <class F>
void AsyncRequests::call(F function, std::size_t place) {
  guarded(what_, [&] { check(function(requests_[place].get())); });
}

}  // namespace strobe::openvino
