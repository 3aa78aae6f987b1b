// SPDX-License-Identifier: Apache-2.0
#include "measure/trace_excess.h"

#include <array>
#include <vector>

#include <strobe/error.h>

#include "device/true_kernel.h"
#include "stats/middle.h"

namespace strobe {
namespace {

constexpr std::array kTrueLengths{1us, 5us, 20us};
constexpr int kTimesEach = 11;

// Each alone: what runs before it must not be in its time.
std::vector<double> run_kernels(TrueKernel& kernel) {
  std::vector<double> truths;
  for (const nanoseconds length : kTrueLengths) {
    for (int i = 0; i < kTimesEach; ++i) {
      kernel.launch(length);
      kernel.stream().synchronize();
      truths.push_back(kernel.truth());
    }
  }
  return truths;
}

}  // namespace

std::optional<double> trace_excess(Device& device, Tracer& tracer) {
  const auto kernel = device.true_kernel();
  if (!kernel) return std::nullopt;
  try {
    run_kernels(*kernel);  // the first launch of a kernel loads it
    tracer.take();
    const std::vector<double> truths = run_kernels(*kernel);
    std::vector<double> excess;
    for (const trace::DeviceWork& w : trace::join(tracer.take()).work) {
      if (w.kind != trace::DeviceWork::Kind::kernel) continue;  // the copies that fetch the truths
      if (excess.size() < truths.size()) excess.push_back(to_double(w.when.length()) - truths[excess.size()]);
    }
    if (excess.size() != truths.size()) return std::nullopt;
    return stats::middle_of(std::move(excess));
  } catch (const Error&) {  // a tracer that cannot be used says so when it is asked for the requests
    return std::nullopt;
  }
}

}  // namespace strobe
