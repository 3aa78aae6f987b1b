// SPDX-License-Identifier: Apache-2.0
// The samples that `strobe run --samples FILE` writes, as times to audit.
#pragma once

#include "record/cells.h"
#include "record/foreign_times.h"

namespace strobe {

bool is_samples(const CellTable&);

// The samples of one pass, per request, warm-up included; by default those of latency. Throws Error that lists the
// passes where the wanted one is not there.
ForeignTimes times_of_samples(const CellTable&, const std::string& pass);

}  // namespace strobe
