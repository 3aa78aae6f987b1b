// SPDX-License-Identifier: Apache-2.0
#include "study/worker_options.h"

#include "option/forms.h"
#include "study/options/tables.h"
#include "workload/model_table.h"

namespace strobe {

nlohmann::json worker_options(const OpenOptions& o) {
  nlohmann::json j{{"model", options_json(model_table(), o)}};
  if (o.launch > 0) j["launch"] = o.launch;
  return j;
}

nlohmann::json worker_options(const OpenOptions& o, const Options& measure) {
  nlohmann::json j = worker_options(o);
  j["measure"] = options_json(measure_table(), measure);
  return j;
}

RunOptions run_options(const nlohmann::json& j) {
  RunOptions o;
  take_options(model_table(), j.at("model"), o.open);
  o.open.launch = j.value("launch", o.open.launch);
  if (const auto measure = j.find("measure"); measure != j.end()) take_options(measure_table(), *measure, o.measure);
  return o;
}

}  // namespace strobe
