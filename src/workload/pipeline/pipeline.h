// SPDX-License-Identifier: Apache-2.0
// A pipeline that is ready to run: stages in the order in which the host hands them over, each on the host or on one of
// a few streams. How they are timed is not its business.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <strobe/workload.h>

#include "device/device.h"
#include "workload/pipeline/pipeline_plan.h"
#include "workload/runtime/runtime.h"

namespace strobe {

struct Lane {
  std::string name;
  std::unique_ptr<Stream> stream;
};

struct PipelineStage {
  std::string name;
  std::string about = {};  // "zoo:resnet18, batch 32", "spin 100 µs"
  std::unique_ptr<Workload> work = {};
  bool host = false;                     // done when it returns; true of every stage on the CPU
  std::optional<std::size_t> lane = {};  // the stream it works on; none for work on the host
  std::uint32_t repeat = 1;              // times it is submitted in an iteration
  std::vector<std::size_t> after = {};   // stages whose end must be waited for; what order alone gives is left out
  bool awaited = false;                  // another stage waits for its end: a mark stands there, however it is timed
  std::string why_no_gate = {};          // not empty: it must not be held back
};

struct Pipeline {
  std::string name;
  std::shared_ptr<Device> device;
  std::string device_name;
  bool device_chosen = false;  // by us, because it was auto
  bool fast_streams = false;   // all that are ours, of a device whose streams have levels
  std::vector<std::unique_ptr<Runtime>> runtimes = {};
  std::vector<Lane> lanes = {};
  std::vector<PipelineStage> stages = {};  // last: they work on what stands above
  nanoseconds load_time{};
  std::vector<ModelFile> files = {};  // of all models, each once

  bool asynchronous() const { return static_cast<bool>(device->can().asynchronous); }
};

// What stage `i` must wait for that neither its stream nor the host's own order gives: `names` are those of its
// `after`. Marks the stages that are waited for. Throws a usage Error for a name that is no earlier stage.
void resolve_after(Pipeline&, std::size_t i, const std::vector<std::string>& names);

// Opens models, loads libraries, allocates. An error names the stage and where it was written.
Pipeline open_pipeline(const PipelinePlan&, std::function<void(const std::string&)> log = {});

}  // namespace strobe
