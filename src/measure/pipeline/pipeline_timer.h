// SPDX-License-Identifier: Apache-2.0
// One turn of a pipeline: a few iterations in a row, timed one way. The loop that holds the clock is in the .cc, short
// enough to read in one look. Every iteration begins on a drained device and ends with one wait for all of it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "measure/conductor.h"
#include "measure/timeline.h"
#include "workload/pipeline/pipeline.h"

namespace strobe {

enum class PipelineWay {
  undisturbed,  // no marks, no waits, no clock readings but those of the iteration
  naive,        // host clock around each stage, no wait
  sync,         // host clock, device-wide wait before and after each stage
  event,        // marks around each stage on a stream, read after the turn; host clock around those on the host
  event_wait,   // the same, with a device-wide wait behind the second mark of each
};
inline constexpr std::size_t kPipelineWays = 5;
std::string_view name(PipelineWay);
std::string_view describe(PipelineWay);
bool has_marks(PipelineWay);

// Those that differ on this device: without a queue there is no wait that marks would need.
std::span<const PipelineWay> ways_on(const Device&);

// What was seen of one stage; absent parts are empty. Times since the iteration began, on the host's clock.
struct StageTimes {
  nanoseconds begin{}, end{};                // of the host in it
  nanoseconds device_begin{}, device_end{};  // between its marks, on the one time line
  nanoseconds reading{};                     // what this way reports
};

struct Iteration {
  nanoseconds begin{};              // on the device's clock
  nanoseconds submitted{}, done{};  // since then
  std::uint32_t round = 0, turn = 0;

  nanoseconds latency() const { return done; }
};

// All iterations of one way: `stages` holds one row of the pipeline's length for each.
struct WayIterations {
  std::vector<Iteration> iterations;
  std::vector<StageTimes> stages;
  nanoseconds uncertainty{};  // of marks on the time line, the worst
  bool within_reach = true;   // of the anchors, always

  std::span<const StageTimes> row(std::size_t iteration, std::size_t width) const {
    return std::span(stages).subspan(iteration * width, width);
  }
  void append(const WayIterations& later);
};

class PipelineTimer {
 public:
  // Room for turns of `iterations` each: nothing is allocated later but what is taken.
  PipelineTimer(Pipeline&, std::size_t iterations);

  // Appends to `taken`. False: the conductor ended it early; what was finished is there.
  bool take(PipelineWay, std::uint32_t round, std::uint32_t turn, Conductor&, WayIterations& taken);

  // One iteration without a record of it.
  nanoseconds run_once();

  // To be called while an exception is handled: throws what the stage threw, as an Error that names it.
  [[noreturn]] static void rethrow_from(const PipelineStage&);

 private:
  struct Raw {  // of one stage
    nanoseconds begin{}, end{};
    Mark first, last;
  };
  void iterate(PipelineWay, Iteration&, Raw*);
  void iterate_or_name(PipelineWay, Iteration&, Raw*);
  void wait_for(const PipelineStage&, const Raw*);
  void anchor(std::vector<Anchor>&);
  void read(PipelineWay, std::size_t count, WayIterations&);

  Pipeline& p_;
  Clock& clock_;
  bool asynchronous_;
  std::size_t most_, request_ = 0, stage_ = 0;  // stage_: the one that is at work
  std::vector<Iteration> iterations_;
  std::vector<Raw> raw_;
  std::vector<Anchor> before_, after_;
};

}  // namespace strobe
