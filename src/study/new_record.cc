// SPDX-License-Identifier: Apache-2.0
#include "study/new_record.h"

#include "base/build_info.h"
#include "host/affinity.h"
#include "host/facts.h"
#include "option/forms.h"
#include "workload/model_table.h"

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
  r.observations.host_numa_node = model.pin.cpus.empty() ? current_numa_node() : numa_node_of(model.pin.cpus.front());
}

void describe_model_settings(const OpenOptions& o, const OpenedModel& model, Record& r) {
  r.settings["device_chosen"] = model.device_chosen;
  describe_options(model_table(), o, r.settings);
}

}  // namespace strobe
