// SPDX-License-Identifier: Apache-2.0
// Times in a table of cells: which column holds them, in which unit, and which one says when each began. The samples
// that `strobe run --samples` writes are such a table, too.
#pragma once

#include "record/cells.h"
#include "record/foreign_times.h"

namespace strobe {

// Throws Error that names the option where the table leaves a choice.
ForeignTimes times_in(const CellTable&, const ForeignTimesOptions&);

}  // namespace strobe
