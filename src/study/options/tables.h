// SPDX-License-Identifier: Apache-2.0
// The options of each study, a row each. The table of a model's is workload/model_table.h.
#pragma once

#include <cstdint>
#include <span>

#include <strobe/measure.h>
#include <strobe/study.h>

#include "option/option.h"

namespace strobe {

// Beyond these nothing would come to an end, or no machine could do it.
inline constexpr std::int64_t kMostInFlight = 4096, kMostIterationsInFlight = 64, kMostStreams = 1024,
                              kMostComparedPairs = 1'000;
inline constexpr std::int64_t kMostItems = std::int64_t{1} << 40;

std::span<const Option<Options>> measure_table();
// Members of Options that say of a callable what a model says itself (`pin` is an option of models, too): no options of
// the command line.
struct CallableMember {
  std::string_view name;
  bool (*given)(const Options&);
  bool of_workloads;  // they have their own device, stream and items
};
std::span<const CallableMember> callable_members();

std::span<const Option<MethodsOptions>> methods_table();
std::span<const Option<ThroughputOptions>> throughput_table();
std::span<const Option<CompareOptions>> compare_table();
std::span<const Option<PipelineOptions>> pipeline_table();
std::span<const Option<ProfileOptions>> profile_table();
std::span<const Option<MemoryOptions>> memory_table();

}  // namespace strobe
