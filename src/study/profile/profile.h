// SPDX-License-Identifier: Apache-2.0
// `strobe profile`: where the time of a request goes. A launch either measures without a profiler, as a launch of `run`
// does, or records requests under one; never both, because a profiler slows what it watches.
#pragma once

#include <strobe/record.h>
#include <strobe/study.h>

#include "workload/open_model.h"

namespace strobe {

struct ProfilePlan {
  OpenOptions open;
  ProfileOptions how;
  bool profiled = true;  // this launch
};

// One launch, in this process.
Record profile_launch(const ProfilePlan&);

// All of them, in turns: with the profiler, and without.
Record profile_launches(const ProfilePlan&);

}  // namespace strobe
