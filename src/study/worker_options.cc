// SPDX-License-Identifier: Apache-2.0
#include "study/worker_options.h"

#include <nlohmann/json.hpp>

#include "option/byte_text.h"
#include "option/forms.h"
#include "study/options/tables.h"
#include "workload/model_table.h"

namespace strobe {

nlohmann::json worker_options(const OpenOptions& o) {
  nlohmann::json j{{"model", options_json(model_table(), o)}, {"path", bytes_of_text(o.model)}};
  if (o.launch > 0) j["launch"] = o.launch;
  if (!o.prefers_stream.empty()) j["prefers_stream"] = o.prefers_stream;
  return j;
}

nlohmann::json worker_options(const OpenOptions& o, const Options& measure) {
  nlohmann::json j = worker_options(o);
  j["measure"] = options_json(measure_table(), measure);
  return j;
}

nlohmann::json worker_options(const RunOptions& o) {
  nlohmann::json j = worker_options(o.open, o.measure);
  j["samples"] = o.measure.samples;
  return j;
}

nlohmann::json worker_options(const MethodsPlan& o) {
  nlohmann::json j = worker_options(o.open);
  j["methods"] = options_json(methods_table(), o);
  return j;
}

MethodsPlan methods_options(const nlohmann::json& j) {
  MethodsPlan o;
  o.open = run_options(j).open;
  take_options(methods_table(), j.at("methods"), o);
  return o;
}

RunOptions run_options(const nlohmann::json& j) {
  RunOptions o;
  take_options(model_table(), j.at("model"), o.open);
  if (const auto path = j.find("path"); path != j.end()) o.open.model = text_of_bytes(*path);
  o.open.launch = j.value("launch", o.open.launch);
  o.open.prefers_stream = j.value("prefers_stream", "");
  if (const auto measure = j.find("measure"); measure != j.end()) take_options(measure_table(), *measure, o.measure);
  o.measure.samples = j.value("samples", "");
  return o;
}

}  // namespace strobe
