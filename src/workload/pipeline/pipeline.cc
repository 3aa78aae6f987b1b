// SPDX-License-Identifier: Apache-2.0
#include "workload/pipeline/pipeline.h"

#include <algorithm>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "base/parse.h"
#include "device/open_device.h"
#include "workload/callable.h"
#include "workload/model_files.h"
#include "workload/open_model.h"
#include "workload/pipeline/host_task.h"
#include "workload/pipeline/stage_work.h"
#include "workload/runtime/plugins.h"
#include "workload/zoo.h"

namespace strobe {
namespace {

std::unique_ptr<Runtime> runtime_of(const Model& task) {
  if (!task.runtime.empty()) return load_runtime(task.runtime);
  const bool zoo = task.model.starts_with("zoo:");
  return load_runtime(runtime_for(zoo ? zoo_path(task.model.substr(4)).string() : task.model).name);
}

std::shared_ptr<Device> named_device(const PipelinePlan& plan) {
  const DeviceName name = parse_device(plan.device);
  if (name.kind != DeviceName::simulated) return open_device(plan.device);
  SimParameters p = parse_sim(name.rest);
  p.launch = plan.launch;
  return std::make_shared<SimulatedDevice>(std::move(p));
}

// The first GPU where the driver and the runtime of every model can use it, else the CPU.
std::shared_ptr<Device> best_device(const PipelinePlan& plan, std::string& name) {
  try {
    auto gpu = open_device("cuda:0");
    const bool all = std::all_of(plan.stages.begin(), plan.stages.end(), [&](const StagePlan& s) {
      const auto* model = std::get_if<Model>(&s.task);
      return !model || model->model.starts_with("work:") || runtime_of(*model)->runs_on(*gpu);
    });
    if (all) {
      name = "cuda:0";
      return gpu;
    }
  } catch (const Error&) {  // no driver, no GPU: nothing that a user who did not ask for one must hear
  }
  name = "cpu";
  return open_device("cpu");
}

class Opener {
 public:
  Opener(const PipelinePlan& plan, std::function<void(const std::string&)> log) : plan_(plan), log_(std::move(log)) {
    p_.name = plan.name;
    p_.device_chosen = plan.device == "auto";
    p_.device_name = plan.device;
    p_.device = p_.device_chosen ? best_device(plan, p_.device_name) : named_device(plan);
  }

  Pipeline open() {
    const nanoseconds begin = SteadyClock().now();
    for (const StagePlan& s : plan_.stages) {
      try {
        add(s);
      } catch (const Error& e) {
        throw Error(e.code(), fmt::format("{}: stage '{}': {}", s.where, s.name, e.thing()), e.cause(), e.advice());
      }
    }
    p_.load_time = SteadyClock().now() - begin;
    return std::move(p_);
  }

 private:
  void add(const StagePlan& s) {
    PipelineStage& stage = p_.stages.emplace_back();
    stage.name = s.name;
    stage.repeat = s.repeat;
    std::visit([&](const auto& task) { make(task, s, stage); }, s.task);
    stage.host = stage.host || !p_.asynchronous();
    resolve_after(p_, p_.stages.size() - 1, s.after);
  }

  Lane& lane(const std::string& name, PipelineStage& stage) {
    if (name == kHostLane)
      throw Error(ErrorCode::usage, fmt::format("cannot call a stream '{}'", name), "reports call the host so");
    const auto it = std::find_if(p_.lanes.begin(), p_.lanes.end(), [&](const Lane& l) { return l.name == name; });
    stage.lane = static_cast<std::size_t>(it - p_.lanes.begin());
    return it != p_.lanes.end() ? *it : p_.lanes.emplace_back(Lane{name, fast_stream()});
  }

  // Ways and stages are to differ by what they are, not by the stream that they got.
  std::unique_ptr<Stream> fast_stream() {
    auto stream = p_.device->stream_at(StreamLevel::fast);
    p_.fast_streams = stream && (p_.lanes.empty() || p_.fast_streams);
    return stream ? std::move(stream) : p_.device->stream();
  }

  bool used(std::size_t lane, const PipelineStage& except) const {
    return std::any_of(p_.stages.begin(), p_.stages.end(),
                       [&](const PipelineStage& s) { return &s != &except && s.lane == lane; });
  }

  void make(const Model& task, const StagePlan& s, PipelineStage& stage) {
    if (task.model.starts_with("sim:"))
      throw Error(ErrorCode::usage, fmt::format("cannot put {} into a pipeline", task.model),
                  "a simulated model brings its own device",
                  "Write 'device: sim:launch=5us' at the top and 'sim: {kernels: 20x1us}' as the stage.");
    Lane& on = lane(s.stream, stage);
    OpenOptions o{task};
    o.names.keys = true;
    o.device = p_.device_name;
    o.on = p_.device;
    o.log = log_;
    o.shared_stream = on.stream->native();
    OpenedModel m = open_model(o);
    add_files(m.info);
    stage.work = std::move(m.workload);
    if (m.runtime) p_.runtimes.push_back(std::move(m.runtime));
    stage.about = task.batch ? fmt::format("{}, batch {}", task.model, *task.batch) : task.model;
    void* native = stage.work->stream().native();
    if (native == on.stream->native()) return;
    // A runtime that works on streams of its own only: the lane becomes that stream.
    if (used(*stage.lane, stage))
      throw Error(ErrorCode::unsupported, fmt::format("cannot put it on the stream '{}'", s.stream),
                  "this runtime works on a stream of its own, and another stage is there already",
                  "Give it a separate 'stream:', and 'after:' for the order.");
    on.stream = p_.device->adopt(native);
    p_.fast_streams = false;
  }

  // A model in two stages is loaded twice.
  void add_files(const ModelInfo& info) {
    if (info.sha256.empty()) return;
    const auto known =
        std::find_if(models_.begin(), models_.end(), [&](const ModelInfo& m) { return m.path == info.path; });
    if (known != models_.end()) return check_same_files(*known, info);
    models_.push_back(info);
    p_.files.push_back({info.path, info.sha256});
    for (const ModelFile& f : info.files) p_.files.push_back(f);
  }

  void make(const CopyTask& task, const StagePlan& s, PipelineStage& stage) {
    if (!p_.asynchronous())
      throw Error(ErrorCode::usage, "cannot copy between host and device", "the CPU has one memory",
                  "Take 'cpu: {memcpy: 64MiB}', or another device.");
    Lane& on = lane(s.stream, stage);
    if (auto* sim = dynamic_cast<SimulatedDevice*>(p_.device.get()))
      stage.work = std::make_unique<SimulatedCopy>(task, *sim, static_cast<SimulatedStream&>(*on.stream));
    else
      stage.work = std::make_unique<CopyWork>(task, *p_.device, *on.stream, plan_.in_flight);
    if (!task.pinned) stage.why_no_gate = "a pageable copy may wait for the device, so it is never held back";
    stage.about = fmt::format("copy {} {}, {}", task.direction == CopyTask::Direction::in ? "in" : "out",
                              format_bytes(task.bytes), task.pinned ? "pinned" : "pageable");
  }

  void make(const SimulatedTask& task, const StagePlan& s, PipelineStage& stage) {
    auto* sim = dynamic_cast<SimulatedDevice*>(p_.device.get());
    if (!sim)
      throw Error(ErrorCode::usage, "cannot run simulated kernels on this device", p_.device_name + " is a real one",
                  "Write 'device: sim:launch=5us' at the top of the file, for example.");
    Lane& on = lane(s.stream, stage);
    stage.work = std::make_unique<SimulatedKernels>(task, *sim, static_cast<SimulatedStream&>(*on.stream));
    stage.about = fmt::format("{}, {}", counted(task.work.kernel_count(), "kernel", "kernels"),
                              format_time(task.work.kernel_time()));
  }

  template <class HostWork>
  void make(const HostWork& task, const StagePlan&, PipelineStage& stage) {
    HostTask made = make_host_task(task, *p_.device);
    stage.work = std::make_unique<Callable>(std::move(made.run), p_.device->stream(), 1);
    stage.about = std::move(made.about);
    stage.host = true;
  }

  const PipelinePlan& plan_;
  std::vector<ModelInfo> models_;
  std::function<void(const std::string&)> log_;
  Pipeline p_;
};

}  // namespace

void resolve_after(Pipeline& p, std::size_t i, const std::vector<std::string>& names) {
  PipelineStage& stage = p.stages[i];
  std::vector<std::string> earlier;
  for (std::size_t k = 0; k < i; ++k) earlier.push_back(p.stages[k].name);
  for (const std::string& name : names) {
    const auto it = std::find(earlier.begin(), earlier.end(), name);
    if (it == earlier.end())
      throw Error(ErrorCode::usage, fmt::format("cannot run after '{}'", name), "no earlier stage has that name",
                  fmt::format("'after' takes names of stages above.{}", did_you_mean(name, earlier)));
    const auto k = static_cast<std::size_t>(it - earlier.begin());
    PipelineStage& other = p.stages[k];
    const bool in_order = other.host || (!stage.host && stage.lane == other.lane);
    if (in_order) continue;
    stage.after.push_back(k);
    other.awaited = true;
  }
}

Pipeline open_pipeline(const PipelinePlan& plan, std::function<void(const std::string&)> log) {
  return Opener(plan, std::move(log)).open();
}

}  // namespace strobe
