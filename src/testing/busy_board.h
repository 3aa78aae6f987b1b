// SPDX-License-Identifier: Apache-2.0
// A board on which others compute, half of the time.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "device/cuda/nvml.h"

namespace strobe::testing {

class BusyBoard final : public cuda::Board {
 public:
  using Pids = std::optional<std::vector<unsigned>>;  // none: it does not tell
  explicit BusyBoard(Pids pids, Scalars facts = {}, PowerState power = {})
      : pids_(std::move(pids)), facts_(std::move(facts)), power_(power) {}
  Scalars facts() const override { return facts_; }
  Pids processes() const override { return pids_; }
  std::optional<double> busy() const override { return 0.5; }
  PowerState power_state() const override { return power_; }
  // Has nothing to tell, and can be asked: where a test takes long enough, it is.
  TelemetrySource telemetry() const override {
    return {.columns = {}, .read = [](std::span<double>) {}};
  }

 private:
  Pids pids_;
  Scalars facts_;
  PowerState power_;
};

}  // namespace strobe::testing
