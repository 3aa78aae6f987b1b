// SPDX-License-Identifier: Apache-2.0
#include "study/new_record.h"

#include "base/build_info.h"
#include "host/affinity.h"
#include "host/facts.h"

namespace strobe {

Record new_record(std::string_view verb) {
  Record r;
  r.verb = verb;
  r.strobe = {kVersion, kCommit, kBuildType, kCompiler};
  r.command = command_line();
  r.started_at = utc_now();
  r.host = host_facts();
  return r;
}

void describe_opened(const OpenedModel& model, Record& r) {
  r.startup.load_ns = to_double(model.load_time);
  r.device = model.device->info();
  if (r.device.kind == "cpu" && r.host.contains("cpu")) r.device.name = std::get<std::string>(r.host.at("cpu"));
}

void describe_model_settings(const OpenOptions& o, const OpenedModel& model, Record& r) {
  r.settings["device_chosen"] = model.device_chosen;
  r.settings["seed"] = static_cast<std::int64_t>(o.seed);
  if (o.threads) r.settings["threads"] = static_cast<std::int64_t>(*o.threads);
  if (o.batch) r.settings["batch"] = *o.batch;
  if (o.pin != "auto") r.settings["pin"] = o.pin;
  if (!o.dtype.empty()) r.settings["dtype"] = o.dtype;
  if (!o.layout.empty()) r.settings["layout"] = o.layout;
  if (o.no_optimize) r.settings["optimize"] = false;
  for (const auto& [key, value] : o.set) r.settings["set." + key] = value;
  if (const auto node = current_numa_node()) r.settings["host_numa_node"] = static_cast<std::int64_t>(*node);
}

}  // namespace strobe
