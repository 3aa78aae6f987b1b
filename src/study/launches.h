// SPDX-License-Identifier: Apache-2.0
// Studies that are repeated in several fresh processes, and results for the next one. Where memory, streams and threads
// come to lie is luck that is drawn once a launch, and that a single process does not see. A single launch is made in
// this process.
#pragma once

#include <strobe/record.h>

#include "study/methods.h"
#include "study/run.h"

namespace strobe {

// As many launches as the effort, the user and the time allow.
Record run_launches(const RunOptions&);

// Five, or as many as the user says and the time allows.
Record methods_launches(const MethodsPlan&);  // of every listing, where that is asked for: each in processes of its own

}  // namespace strobe
