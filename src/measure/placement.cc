// SPDX-License-Identifier: Apache-2.0
#include "measure/placement.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <strobe/error.h>

namespace strobe {
namespace {

std::vector<int> cpus_of(const PinRule& rule) {
  if (!rule.here) return rule.cpus;
  const auto cpu = current_cpu();
  return cpu ? std::vector<int>{*cpu} : std::vector<int>{};
}

std::vector<int> without(const std::vector<int>& all, const std::vector<int>& these) {
  std::vector<int> others;
  std::set_difference(all.begin(), all.end(), these.begin(), these.end(), std::back_inserter(others));
  return others;
}

}  // namespace

Placement::Placement(const PinRule& rule, Device& device, Surroundings& around)
    : device_(device), around_(around), before_(cpus_of_this_thread()) {
  const std::vector<int> all = cpus_of_this_thread_unpinned(), cpus = cpus_of(rule);
  if (!cpus.empty()) pin_.emplace(cpus);
  // Nobody has asked for what a strict sandbox forbids, unless it was named.
  if (pin_ && !*pin_ && !rule.here)
    throw Error(ErrorCode::failed, fmt::format("cannot stay on CPU {}", fmt::join(cpus, ",")),
                "this thread may not run there", "Leave --pin out, or take off.");
  const std::vector<int> mine = cpus_of_this_thread();
  if (mine.size() == 1) around_.stays_on(mine.front());
  const std::vector<int> elsewhere = without(all, mine);
  moved_ = !elsewhere.empty();
  if (moved_) keep_watchers_on(elsewhere);
}

Placement::~Placement() {
  if (moved_) keep_watchers_on(before_);
}

void Placement::keep_watchers_on(const std::vector<int>& cpus) {
  device_.keep_threads_on(cpus);
  around_.keep_threads_on(cpus);
}

}  // namespace strobe
