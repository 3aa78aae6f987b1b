// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/openvino/openvino_profile.h"

#include "workload/runtime/openvino/averages.h"

namespace strobe::openvino {

void OpenVinoProfile::submit(std::size_t request) {
  session_->submit(request);
  Averages& averages = after_.emplace_back();
  for (const Layer& l : session_->layers()) averages.push_back(l.average);
}

// The first requests are slow, and weigh in every average: a quarter is left out.
std::vector<ProfiledRequest> OpenVinoProfile::take() {
  if (after_.empty()) return {};
  const std::vector<Layer> layers = session_->layers();
  const std::size_t skipped = after_.size() / 4;
  ProfiledRequest each;
  std::chrono::nanoseconds begin{};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (!layers[i].runs) continue;
    const auto first = skipped > 0 ? after_[skipped - 1][i] : std::chrono::microseconds{};
    const auto end = begin + average_between(first, skipped, layers[i].average, after_.size());
    each.layers.push_back({layers[i].name, layers[i].type, layers[i].kernel, begin, end});
    begin = end;
  }
  return std::vector<ProfiledRequest>(after_.size(), each);
}

}  // namespace strobe::openvino
