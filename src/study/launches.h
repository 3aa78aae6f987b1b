// SPDX-License-Identifier: Apache-2.0
// `strobe run`: the same measurement in several fresh processes, and figures that speak of the next one. Where memory,
// streams and threads come to lie is luck that is drawn once a launch, and that a single process does not see.
#pragma once

#include <strobe/record.h>

#include "study/run.h"

namespace strobe {

// As many launches as the effort, the user and the time allow: each in a process of its own, while this one opens
// neither device nor runtime. A single one is measured here.
Record run_launches(const RunOptions&);

}  // namespace strobe
