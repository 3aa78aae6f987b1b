// SPDX-License-Identifier: Apache-2.0
#include "stats/batches.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/quantile.h"

namespace strobe::stats {
namespace {

constexpr std::size_t kSmallestBlock = 5;

}  // namespace

std::size_t batch_count(std::size_t n) {
  if (n < 50) return std::min(n, std::clamp<std::size_t>(n / 2, 4, 10));
  return std::min(kBatches, n / 5);
}

std::vector<Range> equal_batches(std::size_t n, std::size_t count) {
  std::vector<Range> out;
  if (count == 0 || n < count) return out;
  const std::size_t size = n / count;
  for (std::size_t begin = n - count * size; begin < n; begin += size) out.push_back({begin, begin + size});
  return out;
}

std::vector<Range> even_parts(std::size_t n, std::size_t count) {
  std::vector<Range> out;
  count = std::min(count, n);
  for (std::size_t i = 0; i < count; ++i) out.push_back({i * n / count, (i + 1) * n / count});
  return out;
}

std::vector<Range> grouped(std::span<const Range> parts, std::size_t count) {
  std::vector<Range> out;
  for (const Range& g : even_parts(parts.size(), count)) out.push_back({parts[g.begin].begin, parts[g.end - 1].end});
  return out;
}

std::vector<Range> split_each(std::span<const Range> parts, std::size_t pieces) {
  std::vector<Range> out;
  for (const Range& r : parts)
    for (const Range& piece : even_parts(r.size(), pieces)) out.push_back({r.begin + piece.begin, r.begin + piece.end});
  return out;
}

std::vector<Range> rounds(std::span<const std::uint32_t> round) {
  std::vector<Range> out;
  for (std::size_t i = 0; i < round.size(); ++i) {
    if (i == 0 || round[i] != round[i - 1]) out.push_back({i, i});
    out.back().end = i + 1;
  }
  return out;
}

std::vector<Range> batches(std::size_t n, std::span<const std::uint32_t> round) {
  const std::size_t most = batch_count(n);
  const std::vector<Range> whole = round.size() == n ? rounds(round) : std::vector<Range>{};
  if (whole.size() >= 8) return grouped(whole, std::min(most, whole.size()));
  if (whole.size() >= 2 && 2 * whole.size() <= most) return split_each(whole, 2);
  return equal_batches(n, most);
}

std::vector<Range> blocks(std::size_t n, std::span<const std::uint32_t> round) {
  const std::vector<Range> whole = round.size() == n ? rounds(round) : std::vector<Range>{};
  if (whole.size() < 2) return even_parts(n, std::min(kBlocks, n / kSmallestBlock));
  const std::size_t per_block = (whole.size() + kBlocks - 1) / kBlocks;
  std::vector<Range> out;
  for (std::size_t i = 0; i + per_block <= whole.size(); i += per_block)
    out.push_back({whole[i].begin, whole[i + per_block - 1].end});
  out.back().end = n;
  return out;
}

std::vector<Range> warmup_blocks(std::size_t n, std::span<const std::uint32_t> round) {
  const std::vector<Range> whole = round.size() == n ? rounds(round) : std::vector<Range>{};
  if (whole.size() < 2 || whole.size() >= kFewestWarmupBlocks) return blocks(n, round);
  const std::size_t wanted = (kFewestWarmupBlocks + whole.size() - 1) / whole.size();
  const std::size_t possible = std::max<std::size_t>(1, n / whole.size() / kSmallestBlock);
  return split_each(whole, std::min(wanted, possible));
}

std::vector<double> log_medians(std::span<const double> values, std::span<const Range> parts, double floor) {
  floor = std::max(floor, std::numeric_limits<double>::min());
  std::vector<double> out;
  out.reserve(parts.size());
  std::vector<double> scratch;
  for (const Range& part : parts) {
    const auto samples = values.subspan(part.begin, part.size());
    scratch.assign(samples.begin(), samples.end());
    out.push_back(std::log(std::max(select_median(scratch), floor)));
  }
  return out;
}

}  // namespace strobe::stats
