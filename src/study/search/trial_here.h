// SPDX-License-Identifier: Apache-2.0
// Points tried in this process: work that its owner makes for each batch. Nothing guards the process but a limit on
// memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <strobe/study.h>

#include "device/clock.h"
#include "study/search/trial.h"

namespace strobe {

class TrialsHere {
 public:
  // `progress` hears of each stretch of a trial.
  TrialsHere(BatchedWork work, std::function<void(const Progress&)> progress)
      : work_(std::move(work)), progress_(std::move(progress)) {}

  // Memory that is exhausted is an outcome; whatever else is thrown comes out.
  Trial operator()(const TrialPlan&, const std::function<bool()>& stop);

 private:
  void measure(const TrialPlan&, const std::function<bool()>& stop, Trial&);
  void report(const std::string& point) const;

  BatchedWork work_;
  std::function<void(const Progress&)> progress_;
  SteadyClock clock_;
  nanoseconds begin_ = clock_.now();
  bool uses_host_ = false;                // its memory: known once there was a workload
  std::optional<std::int64_t> exhausts_;  // the smallest batch that does: a larger one is not tried
};

}  // namespace strobe
