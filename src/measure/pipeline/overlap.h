// SPDX-License-Identifier: Apache-2.0
// Iterations that overlap, as a deployed pipeline runs them: the host begins the next one while the device works on
// those before. One thread hands everything over. It waits only where as many are in flight as may be, or where a stage
// on the host needs what the device is still making and no other iteration can go on. Stages keep their order: none is
// handed over before the same stage of an earlier iteration.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "measure/conductor.h"
#include "measure/timeline.h"
#include "workload/pipeline/pipeline.h"

namespace strobe {

// From where one iteration is done with a lane until a later one is: once on the host, and once on each stream. What
// lies before and after, while queues fill and run empty, does not count. Of several lanes the slowest tells the truth:
// the others may still be running ahead of it.
struct OverlapTurn {
  std::uint32_t round = 0;
  bool one_at_a_time = false;
  std::size_t iterations = 0;
  std::vector<nanoseconds> lengths = {};  // of the host, then of each stream

  double period(std::size_t lane) const { return to_double(lengths[lane]) / static_cast<double>(iterations); }
};

// A stage of one iteration. Times since the first iteration that counts began; `device_…` of a stage on a stream, by
// its marks.
struct OverlapSpan {
  std::uint64_t iteration = 0;
  std::size_t stage = 0;
  nanoseconds begin{}, end{}, device_begin{}, device_end{};
};

struct OverlapView {
  std::vector<OverlapSpan> spans;  // by iteration and stage; also of iterations before and after those that count
  std::uint64_t first = 0;         // that counts
  std::size_t iterations = 0;      // that count
  nanoseconds length{};            // until the one behind the last of them begins
  nanoseconds uncertainty{};       // of marks on the host's time line
  bool within_reach = true;        // of the anchors
};

class Overlap {
 public:
  // Room for `most` iterations in a turn, of which `depth` may be in flight: nothing is allocated while it runs.
  Overlap(Pipeline&, std::size_t depth, std::size_t most);

  // How many iterations have to be made so that at least `counted` count: whole cycles of `depth`, behind one that
  // fills the queues and before one that lets them run empty.
  static std::size_t iterations_for(std::size_t counted, std::size_t depth);

  // From a drained device to a drained one. False: it ended early, by the conductor, and nothing of it counts.
  bool take(std::size_t depth, std::size_t counted, Conductor&, OverlapTurn&);

  // The same with marks around each stage on a stream, to be looked at. Reserves marks: whoever had some has none now.
  OverlapView look(std::size_t depth, std::size_t counted, Conductor&);

 private:
  struct Flying {                      // an iteration that has begun and is not done
    std::size_t number = 0, next = 0;  // next: the stage before which it waits; behind the last: for its end
  };
  struct Seen {  // of one stage
    nanoseconds begin{}, end{};
    Mark first, last;
  };
  // What is looked at on the way: every stage, or when two iterations are done with each lane.
  struct Watch {
    Seen* stages = nullptr;
    std::size_t first = SIZE_MAX, last = SIZE_MAX;
  };
  bool is_timed(std::size_t number) const { return number == watch_.first || number == watch_.last; }
  // Gives how many iterations began.
  std::size_t fly(std::size_t depth, std::size_t count, Conductor&);
  Flying* ready();
  bool waits_before(std::size_t stage) const;
  bool reached(const Flying&);
  void wait(const Flying&);
  void go_on(Flying&);
  void submit(const Flying&, std::size_t stage);
  void mark_end(const Flying&, std::size_t stage);
  bool stage_done(const Flying&, std::size_t stage);
  Mark& end_of(std::size_t number, std::size_t stage) { return ends_[number % depth_ * p_.stages.size() + stage]; }
  Stream& stream_of(std::size_t stage) { return *p_.lanes[*p_.stages[stage].lane].stream; }

  Pipeline& p_;
  Clock& clock_;
  std::size_t depth_, stage_ = 0;          // stage_: the one that is at work
  std::vector<std::size_t> last_of_lane_;  // stages behind which nothing else is on their stream
  std::vector<bool> marked_;               // stages behind which a mark stands
  std::vector<Mark> ends_;                 // of the stages of as many iterations as may be in flight
  std::vector<Flying> flying_;             // the oldest first
  std::vector<nanoseconds> begins_;
  Watch watch_;
  nanoseconds host_done_[2]{};                  // when the host had handed over the two that are timed
  std::vector<std::array<Mark, 2>> lane_done_;  // behind their last stages on each stream
};

}  // namespace strobe
