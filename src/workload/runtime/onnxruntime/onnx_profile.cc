// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/onnxruntime/onnx_profile.h"

#include <algorithm>

#include "workload/runtime/onnxruntime/profile_probe.h"

namespace strobe::onnxruntime {
namespace {

using std::chrono::nanoseconds;

// Begins and lengths are rounded down to whole microseconds, so a layer may have ended this much later. On a GPU the
// last kernel that it hands over would be nobody's.
constexpr nanoseconds kRounding = std::chrono::microseconds(2);

void undo_rounding(std::vector<LayerCall>& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const nanoseconds late = layers[i].end + kRounding;
    layers[i].end = i + 1 < layers.size() ? std::max(layers[i].end, std::min(late, layers[i + 1].begin)) : late;
  }
}

// ONNX Runtime's clock is the system's; ours is the monotonic one, which keeps its distance.
nanoseconds to_monotonic(nanoseconds system) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return system + (std::chrono::steady_clock::now().time_since_epoch() - now);
}

}  // namespace

std::string OnnxProfile::about() const {
  return on_gpu_ ? "ONNX Runtime's profiler says which layer handed a kernel over"
                 : "ONNX Runtime's profiler, in whole microseconds";
}

std::vector<ProfiledRequest> OnnxProfile::take() {
  const nanoseconds begin = to_monotonic(session_.profile_begin());
  std::vector<ProfiledRequest> requests = read_runs(session_.end_profile());
  for (ProfiledRequest& r : requests) {
    *r.at += begin;
    if (on_gpu_) undo_rounding(r.layers);
  }
  return requests;
}

}  // namespace strobe::onnxruntime
