// SPDX-License-Identifier: Apache-2.0
// The largest batch that fits: predicted from how memory grew, tried, and held for a while.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "study/search/batch_search.h"
#include "study/search/trials.h"

namespace strobe {

// What is known before the search.
struct LargestPlan {
  std::optional<std::int64_t> predicted;
  std::string not_searched;  // why; empty: it is
};

// No prediction reaches a batch that is known to fail. A request that takes longer than a whole trial may is not tried
// only to see whether it fits.
LargestPlan plan_largest(std::int64_t fits, std::optional<std::int64_t> fails, std::optional<std::int64_t> predicted,
                         double seconds_per_item, double longest_seconds);

class LargestSearch {
 public:
  // `at`: streams and requests in flight; `limit`: bytes that batches have to fit into.
  LargestSearch(const ThroughputPlan& o, const TrialPoint& at, std::uint64_t limit, Trials& trials, Record& record)
      : o_(o), at_(at), limit_(static_cast<double>(limit)), trials_(trials), record_(record) {}

  void run(const BatchSearch&);

 private:
  std::optional<std::int64_t> predict() const;
  const Case* smallest_failure(std::int64_t above) const;
  void name_failure(std::int64_t above);
  void soak(std::int64_t batch);
  TrialPoint point(std::int64_t batch) const { return {batch, at_.streams, at_.in_flight, at_.copies}; }

  const ThroughputPlan& o_;
  TrialPoint at_;
  double limit_;
  Trials& trials_;
  Record& record_;
};

}  // namespace strobe
