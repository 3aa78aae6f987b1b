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

}  // namespace strobe
