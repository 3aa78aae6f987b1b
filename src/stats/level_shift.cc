// SPDX-License-Identifier: Apache-2.0
#include "stats/level_shift.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "stats/quantile.h"

namespace strobe::stats {
namespace {

constexpr std::size_t kShortestPiece = 5;
constexpr double kSmallestStep = 0.02;

std::vector<double> absolute_differences(std::span<const double> z) {
  std::vector<double> out;
  for (std::size_t i = 1; i < z.size(); ++i) out.push_back(std::abs(z[i] - z[i - 1]));
  return out;
}

// 1.4826 makes the median absolute deviation of normal noise its standard deviation; a difference has twice the
// variance.
double noise(std::span<const double> z) {
  std::vector<double> differences = absolute_differences(z);
  return 1.4826 * select_median(differences) / std::numbers::sqrt2;
}

// For ties: a noise-free step must be found, coin flips between two tick values must not.
double tied_noise(std::span<const double> z) {
  double squares = 0;
  for (const double d : absolute_differences(z)) squares += d * d;
  return std::sqrt(squares / static_cast<double>(z.size() - 1) / 2);
}

// Sums that give the squared error of any range around its own mean in constant time.
struct Prefix {
  std::vector<double> sum{0};
  std::vector<double> squares{0};

  explicit Prefix(std::span<const double> z) {
    for (const double x : z) {
      sum.push_back(sum.back() + (x - z[0]));
      squares.push_back(squares.back() + (x - z[0]) * (x - z[0]));
    }
  }
  double cost(Range r) const {
    const double t = sum[r.end] - sum[r.begin];
    return std::max(squares[r.end] - squares[r.begin] - t * t / static_cast<double>(r.size()), 0.0);
  }
};

// The exact minimum over all splits. With 100 blocks the quadratic recursion is quick enough to need no pruning.
std::vector<Range> best_split(std::span<const double> z, double sigma) {
  const Prefix prefix(z);
  const std::size_t count = z.size();
  const double penalty = 4 * std::log(static_cast<double>(count)) * sigma * sigma;
  std::vector<double> best(count + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> start(count + 1, 0);
  best[0] = -penalty;
  for (std::size_t end = kShortestPiece; end <= count; ++end)
    for (std::size_t begin = 0; begin + kShortestPiece <= end; ++begin) {
      const double cost = best[begin] + prefix.cost({begin, end}) + penalty;
      if (cost >= best[end]) continue;
      best[end] = cost;
      start[end] = begin;
    }
  std::vector<Range> out;
  for (std::size_t end = count; end > 0; end = start[end]) out.insert(out.begin(), {start[end], end});
  return out;
}

// Joins the closest neighbours until all are at least `step` apart.
std::vector<Piece> joined(std::span<const Range> ranges, std::span<const double> z, double step) {
  const auto level = [z](Range r) { return median_of(z.subspan(r.begin, r.size())); };
  std::vector<Piece> pieces;
  for (const Range& r : ranges) pieces.push_back({r, level(r)});
  while (pieces.size() > 1) {
    std::size_t closest = 1;
    const auto gap = [&pieces](std::size_t i) { return std::abs(pieces[i].level - pieces[i - 1].level); };
    for (std::size_t i = 2; i < pieces.size(); ++i)
      if (gap(i) < gap(closest)) closest = i;
    if (gap(closest) >= step) break;
    pieces[closest - 1].blocks.end = pieces[closest].blocks.end;
    pieces[closest - 1].level = level(pieces[closest - 1].blocks);
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(closest));
  }
  return pieces;
}

ShiftKind classify(std::span<const Piece> pieces) {
  if (pieces.size() < 2) return ShiftKind::none;
  if (pieces.size() == 2) return ShiftKind::one_shift;
  for (std::size_t i = 2; i < pieces.size(); ++i) {
    const bool rose = pieces[i - 1].level > pieces[i - 2].level;
    const bool rises = pieces[i].level > pieces[i - 1].level;
    if (rose == rises) return ShiftKind::several_shifts;
  }
  return ShiftKind::regime_switching;
}

std::vector<Level> levels_of(std::vector<Piece> pieces, std::size_t count, double step) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.level < b.level; });
  std::vector<Level> levels;
  for (const Piece& p : pieces) {
    const double share = static_cast<double>(p.blocks.size()) / static_cast<double>(count);
    if (levels.empty() || p.level - levels.back().log_value >= step) {
      levels.push_back({p.level, share});
      continue;
    }
    Level& l = levels.back();
    l.log_value = (l.log_value * l.share + p.level * share) / (l.share + share);
    l.share += share;
  }
  return levels;
}

}  // namespace

LevelShifts find_level_shifts(std::span<const double> block_logs, double tick) {
  LevelShifts out;
  const std::size_t count = block_logs.size();
  if (count == 0) return out;
  std::vector<Range> split{{0, count}};
  if (count >= 2 * kShortestPiece) {
    out.sigma = noise(block_logs);
    const double sigma = out.sigma > 0 ? out.sigma : tied_noise(block_logs);
    if (sigma > 0) split = best_split(block_logs, sigma);
  }
  const double step = std::max(kSmallestStep, 2 * tick);
  out.pieces = joined(split, block_logs, step);
  out.levels = levels_of(out.pieces, count, step);
  out.kind = classify(out.pieces);
  return out;
}

bool shift_in_progress(const LevelShifts& s) {
  return s.kind != ShiftKind::none && !(s.kind == ShiftKind::regime_switching && s.pieces.size() >= kTrustedVisits);
}

}  // namespace strobe::stats
