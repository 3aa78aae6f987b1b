// SPDX-License-Identifier: Apache-2.0
// A session under OpenVINO's own profiler, which tells averages and no begins: every request gets the same layers, one
// behind the other in the order of execution, each as long as it took in the last three quarters of the requests.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "workload/runtime/openvino/openvino_session.h"

namespace strobe::openvino {

class OpenVinoProfile final : public Profiled, private Workload {
 public:
  // Of one that was compiled for it.
  explicit OpenVinoProfile(std::unique_ptr<OpenVinoSession> session) : session_(std::move(session)) {}

  Workload& workload() override { return *this; }
  std::vector<ProfiledRequest> take() override;
  std::string about() const override { return "OpenVINO's profiler: averages of a launch, of whole microseconds"; }

 private:
  using Averages = std::vector<std::chrono::microseconds>;  // by layer

  void submit(std::size_t request) override;
  Stream& stream() override { return session_->stream(); }
  std::size_t items() const override { return session_->items(); }
  std::size_t input_sets() const override { return session_->input_sets(); }

  std::unique_ptr<OpenVinoSession> session_;
  std::vector<Averages> after_;  // each request
};

}  // namespace strobe::openvino
