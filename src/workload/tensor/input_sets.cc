// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/input_sets.h"

#include <algorithm>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"

namespace strobe {
namespace {

[[noreturn]] void refuse_cache(const OptionNames& names, std::string cause, std::string advice) {
  throw Error(ErrorCode::unsupported, fmt::format("cannot use {}", names.with("input-sets", "cache")), std::move(cause),
              std::move(advice));
}

}  // namespace

std::size_t count_sets(const InputSets& asked, Bytes one, const Device& device, const OptionNames& names) {
  const std::size_t at_least = std::max<std::size_t>(1, asked.count);
  if (!asked.beyond_cache) return at_least;
  const auto cache = device.last_level_cache();
  if (!cache)
    refuse_cache(names, "nobody tells how large the last-level cache of this device is", "Give a number of sets.");
  if (one.count == 0) refuse_cache(names, "the model has no inputs", "Leave it out.");
  const std::uint64_t needed = (kTimesTheCache * cache->count + one.count - 1) / one.count;
  if (needed > kMostInputSets) {
    const std::string flush = device.can().flush ? ", or flush the cache instead (--cache cold)" : "";
    refuse_cache(
        names,
        fmt::format("a set of inputs has {}, and the cache {}: it would take {} sets, of which {} are the most",
                    format_bytes(one), format_bytes(*cache), format_count(needed), format_count(kMostInputSets)),
        fmt::format("Take a larger batch or shape{}.", flush));
  }
  return std::max(at_least, static_cast<std::size_t>(needed));
}

}  // namespace strobe
