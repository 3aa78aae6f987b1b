// SPDX-License-Identifier: Apache-2.0
#include "measure/cpu_watch.h"

namespace strobe {

void CpuWatch::look(std::optional<int> cpu) {
  if (!cpu) return;
  if (last_ && *last_ != *cpu) ++moves_;
  last_ = cpu;
}

void CpuWatch::begin(std::optional<int> cpu) {
  look(cpu);
  begun_ = cpu;
}

void CpuWatch::end(std::string_view metric, std::optional<int> cpu) {
  look(cpu);
  for (const auto& at : {begun_, cpu}) {
    if (at) passes_[std::string(metric)].insert(*at);
  }
  begun_.reset();
}

std::optional<CpuObservation> CpuWatch::seen() const {
  if (passes_.empty()) return std::nullopt;
  CpuObservation seen;
  if (pinned_) seen.pinned.push_back(*pinned_);
  seen.moves = moves_;
  for (const auto& [metric, cpus] : passes_) seen.passes[metric].assign(cpus.begin(), cpus.end());
  return seen;
}

}  // namespace strobe
