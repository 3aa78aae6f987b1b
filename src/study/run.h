// `strobe run`: one model, its latency, device time and throughput, and whether to believe them.
#pragma once

#include <strobe/record.h>
#include <strobe/strobe.h>

#include "workload/open_model.h"

namespace strobe {

struct RunOptions {
  OpenOptions open;
  Options measure;
};

Record run(const RunOptions&);

}  // namespace strobe
