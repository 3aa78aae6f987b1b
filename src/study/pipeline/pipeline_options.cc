// SPDX-License-Identifier: Apache-2.0
#include "study/pipeline/pipeline_options.h"

#include <nlohmann/json.hpp>

#include "option/byte_text.h"
#include "option/forms.h"
#include "study/options/tables.h"
#include "workload/pipeline/plan_json.h"

namespace strobe {

nlohmann::json worker_options(const PipelineStudy& s) {
  return {{"plan", plan_json(s.plan)},
          {"pipeline", options_json(pipeline_table(), s.how)},
          {"file", bytes_of_text(s.file)},
          {"sha256", s.sha256}};
}

PipelineStudy pipeline_options(const nlohmann::json& j) {
  PipelineStudy s;
  s.plan = plan_of(j.at("plan"));
  take_options(pipeline_table(), j.at("pipeline"), s.how);
  s.file = text_of_bytes(j.at("file"));
  j.at("sha256").get_to(s.sha256);
  return s;
}

}  // namespace strobe
