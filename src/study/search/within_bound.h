// SPDX-License-Identifier: Apache-2.0
// The highest rate whose latency under load keeps a bound: over batches, streams and requests in flight.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "study/search/loads.h"
#include "study/search/trials.h"

namespace strobe {

class WithinBound {
 public:
  WithinBound(const ThroughputPlan& o, const Loads& loads, bool has_batch, Trials& trials, Record& record)
      : o_(o), loads_(loads), has_batch_(has_batch), trials_(trials), record_(record) {}

  void search();
  void so_far();  // the answer of a search that was broken off

 private:
  void try_points(std::size_t streams);
  bool can_be_proven(const Case&) const;
  void retract();
  std::optional<std::size_t> name_undecided(double proven);

  const ThroughputPlan& o_;
  const Loads& loads_;
  bool has_batch_;
  Trials& trials_;
  Record& record_;
};

}  // namespace strobe
