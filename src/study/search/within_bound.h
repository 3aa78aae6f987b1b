// SPDX-License-Identifier: Apache-2.0
// The highest rate whose latency under load keeps a bound: over batches, streams and requests in flight.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "study/search/trials.h"

namespace strobe {

class WithinBound {
 public:
  WithinBound(const ThroughputPlan& o, const std::vector<std::size_t>& in_flight, bool has_batch, Trials& trials,
              Record& record)
      : o_(o), in_flight_(in_flight), has_batch_(has_batch), trials_(trials), record_(record) {}

  void search();
  void so_far();  // the answer of a search that was broken off

 private:
  void try_points(std::size_t streams);
  bool can_be_proven(const Case&) const;
  void retract();
  std::optional<std::size_t> name_undecided(double proven);

  const ThroughputPlan& o_;
  const std::vector<std::size_t>& in_flight_;
  bool has_batch_;
  Trials& trials_;
  Record& record_;
};

}  // namespace strobe
