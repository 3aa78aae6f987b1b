// SPDX-License-Identifier: Apache-2.0
#include "study/memory/memory_options.h"

#include <nlohmann/json.hpp>

#include "option/forms.h"
#include "study/options/tables.h"
#include "study/worker_options.h"

namespace strobe {

nlohmann::json worker_options(const MemoryPlan& p) {
  nlohmann::json j = worker_options(p.open);
  j["memory"] = options_json(memory_table(), p.how);
  j["recorded"] = p.recorded;
  return j;
}

MemoryPlan memory_options(const nlohmann::json& j) {
  MemoryPlan p;
  p.open = run_options(j).open;
  take_options(memory_table(), j.at("memory"), p.how);
  p.recorded = j.at("recorded");
  return p;
}

}  // namespace strobe
