// One side of a comparison, in this process or in a worker of its own: loaded afresh a few times, asked for a turn many
// times.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "measure/turns.h"
#include "study/run.h"

namespace strobe {

struct CandidateOptions {
  std::string name;
  RunOptions run;                  // with measure.graph the captured graph is what is run, not the eager form
  std::vector<std::string> words;  // the same as a command line: for a worker
};

struct Watched {
  Observations observations;
  Telemetry telemetry;
};

class Candidate {
 public:
  virtual ~Candidate() = default;
  virtual void load() = 0;  // a fresh session; the one before is gone
  // The same in a fresh process, and the bytes that this took there: on the device where it has memory of its own,
  // else resident. A process that has loaded before keeps memory, and would tell nothing.
  virtual std::uint64_t load_and_weigh() = 0;
  virtual TurnReadings turn() = 0;  // empty: stopped
  // Model, device, startup, observations, and metrics that are unknown: after the first turn.
  virtual Record describe() = 0;
  virtual Watched watched() = 0;  // beside all turns; to be asked once, at the end
};

std::unique_ptr<Candidate> local_candidate(const CandidateOptions&);
std::unique_ptr<Candidate> worker_candidate(const CandidateOptions&);

// The worker's end of a dialogue: a line in, a line out, until the input ends.
void serve_candidate(const CandidateOptions&, std::istream&, std::ostream&);

}  // namespace strobe
