// SPDX-License-Identifier: Apache-2.0
// How a worker is told to profile.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "study/profile/profile.h"

namespace strobe {

nlohmann::json worker_options(const ProfilePlan&);
ProfilePlan profile_options(const nlohmann::json&);

}  // namespace strobe
