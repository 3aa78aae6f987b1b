// SPDX-License-Identifier: Apache-2.0
#include "study/cpus_seen.h"

#include <set>

namespace strobe {

void add(const CpuObservation& launch, std::optional<CpuObservation>& all) {
  CpuObservation& sum = all ? *all : all.emplace();
  sum.pinned.insert(sum.pinned.end(), launch.pinned.begin(), launch.pinned.end());
  sum.moves += launch.moves;
  for (const auto& [metric, cpus] : launch.passes) {
    std::set<std::int64_t> both(cpus.begin(), cpus.end());
    both.insert(sum.passes[metric].begin(), sum.passes[metric].end());
    sum.passes[metric].assign(both.begin(), both.end());
  }
}

}  // namespace strobe
