// SPDX-License-Identifier: Apache-2.0
// `strobe run`: one model, its latency, device time and throughput, and whether to believe them.
#pragma once

#include <strobe/measure.h>
#include <strobe/record.h>

#include "workload/open_model.h"

namespace strobe {

class Salvage;

struct RunOptions {
  OpenOptions open;
  Options measure;
  Salvage* salvage = nullptr;  // where another thread finds what there is while a request does not end
};

Record run(const RunOptions&);

// One launch of a callable or a workload; later ones of several measure only what all repeat.
Record measure_workload(Workload&, const Options&, std::size_t launch = 1);

// Throws Error (usage) for options that a workload answers itself.
void refuse_callable_members(const Options&);

}  // namespace strobe
