// SPDX-License-Identifier: Apache-2.0
#include "python/harness.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace strobe::python {
namespace {

double ns(std::chrono::nanoseconds t) {
  return std::chrono::duration<double, std::nano>(t).count();
}

}  // namespace

Record Harness::run(const std::function<Record()>& study) {
  return hooks.run([&] {
    const LendWhileWaiting lend(lock);
    return study();
  });
}

void Harness::describe(Record& r, std::uint64_t requests) {
  if (!cost_) cost_ = cost_of_calling(empty_);
  auto& calibration = r.device.calibration;
  calibration["python_call_ns"] = cost_->bare_ns;
  calibration["harness_ns"] = cost_->request_ns - cost_->bare_ns;
  if (r.device.kind == "cpu") calibration["empty_request_ns"] = cost_->request_ns;
  const std::string version = Py_GetVersion();  // "3.11.7 (main, …"
  r.model.facts["python"] = version.substr(0, version.find(' '));
  describe_garbage(garbage_, requests, r.model.facts);
  if (lock.contended() > 0) {
    r.model.facts["gil_contended"] = static_cast<std::int64_t>(lock.contended());
    r.model.facts["gil_wait_ns"] = ns(lock.waited());
  }
}

}  // namespace strobe::python
