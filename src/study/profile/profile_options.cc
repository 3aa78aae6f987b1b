// SPDX-License-Identifier: Apache-2.0
#include "study/profile/profile_options.h"

#include <nlohmann/json.hpp>

#include "option/forms.h"
#include "study/options/tables.h"
#include "study/worker_options.h"

namespace strobe {

nlohmann::json worker_options(const ProfilePlan& p) {
  nlohmann::json j = worker_options(p.open);
  j["profile"] = options_json(profile_table(), p.how);
  j["profiled"] = p.profiled;
  return j;
}

ProfilePlan profile_options(const nlohmann::json& j) {
  ProfilePlan p;
  p.open = run_options(j).open;
  take_options(profile_table(), j.at("profile"), p.how);
  p.profiled = j.at("profiled");
  return p;
}

}  // namespace strobe
