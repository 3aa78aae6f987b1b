// SPDX-License-Identifier: Apache-2.0
// Sudden changes of level: the split of the log block medians into constant pieces that PELT would find (squared error,
// penalty 4 ln G, at least 5 blocks a piece), neighbours closer than 2 % joined again. One step is a shift; pieces that
// go up and down are regimes, a clock with two states for instance. Blocks must not be shorter than a segment
// (batches.h).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/batches.h"

namespace strobe::stats {

enum class ShiftKind {
  none,
  one_shift,
  several_shifts,    // up twice or down twice in a row: no way back to where it was
  regime_switching,  // three or more pieces that alternate
};

struct Piece {
  Range blocks;
  double level = 0;  // median of its log block medians: a burst of two blocks makes no piece
};

struct Level {
  double log_value = 0;
  double share = 0;  // of the blocks
};

struct LevelShifts {
  ShiftKind kind = ShiftKind::none;
  std::vector<Piece> pieces;  // in time order; a single one when nothing shifted; empty without blocks
  std::vector<Level> levels;  // ascending; pieces within 2 % of each other are one level
  double sigma = 0;           // noise of a block, from the median absolute difference; 0 when most neighbours are equal
};

// Under this many pieces regimes are too rarely visited for an interval to be trusted: keep sampling to the cap.
inline constexpr std::size_t kTrustedVisits = 10;

// `tick`: resolution of the clock relative to the level; a step of under 2 ticks is none.
LevelShifts find_level_shifts(std::span<const double> block_logs, double tick = 0);

// Still moving, or too few visits to average over: a reason to go on sampling.
bool shift_in_progress(const LevelShifts& s);

}  // namespace strobe::stats
