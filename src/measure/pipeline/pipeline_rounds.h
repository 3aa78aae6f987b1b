// SPDX-License-Identifier: Apache-2.0
// All ways to time a pipeline, in turns: each round has every way twice, forwards and backwards, so that whatever
// the machine does meanwhile hits all alike and a drift cancels. Afterwards each stage on a stream is timed once more
// by itself, behind a gate.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <strobe/measure.h>
#include <strobe/record.h>

#include "host/salvage.h"
#include "measure/calibration.h"
#include "measure/conductor.h"
#include "measure/pipeline/overlap.h"
#include "measure/pipeline/pipeline_timer.h"
#include "measure/pipeline/stage_device_time.h"
#include "measure/surroundings.h"

namespace strobe {

inline constexpr std::size_t kPipelineRounds = 32;  // fewer cannot say what marks cost (docs/statistics.md)

// All iterations are kept; so many rounds take more than four hours.
inline constexpr std::int64_t kMostPipelineIterations = 100'000, kMostPipelineRounds = 100'000;

struct PipelineRule {
  std::size_t rounds = kPipelineRounds;
  std::optional<std::size_t> iterations = {};  // of each way, at least; none: so many that a turn takes 20 ms
  std::size_t in_flight = 1;                   // iterations that overlap; above 1 they are measured in turns, too
  std::optional<nanoseconds> max_time = {};    // from the first iteration on; a round cut short does not count
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
  Conductor* conductor = nullptr;  // none: this clock and `stop` decide
};

struct PipelineMeasurement {
  std::array<WayIterations, kPipelineWays> ways;
  std::vector<OverlapTurn> overlap;  // of complete rounds: one at a time, and as many in flight as the rule says
  OverlapView view;                  // of the latter, with marks
  std::vector<StageWork> work;       // one a stage
  Calibration calibration;
  nanoseconds first{}, begun{}, warm{}, end{};  // `begun` on the device's clock, the others since
  std::size_t warmup_iterations = 0, iterations_a_turn = 1;
  std::uint32_t rounds = 0;  // that are complete
  std::shared_ptr<Surroundings> around;
  Status status = Status::fixed;
  std::string reason;  // why it ended early, or failed

  const WayIterations& way(PipelineWay w) const { return ways[static_cast<std::size_t>(w)]; }
};

// ln(this way / undisturbed) of each complete round, from the medians of its turns.
std::vector<double> log_ratios(const PipelineMeasurement&, PipelineWay);

// The lane whose turns tell the period: the slowest over all of them, 0 is the host.
std::size_t slowest_lane(const PipelineMeasurement&, bool one_at_a_time);

// ln(period in flight / period one at a time) of each complete round.
std::vector<double> overlap_ratios(const PipelineMeasurement&);

// Never throws for an interrupted run, nor for a device that fails after the warm-up: what there is comes back.
// `remains` gives another thread the turns before an iteration that does not end: nothing where there is none.
PipelineMeasurement measure_pipeline(Pipeline&, const PipelineRule&,
                                     Remains<const PipelineMeasurement*>* remains = nullptr);

}  // namespace strobe
