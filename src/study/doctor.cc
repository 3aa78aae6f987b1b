// SPDX-License-Identifier: Apache-2.0
#include "study/doctor.h"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "device/inline_device.h"
#include "device/open_device.h"
#include "host/sampler.h"
#include "measure/calibration.h"
#include "record/scalars.h"
#include "stats/canary.h"
#include "study/new_record.h"
#include "verdict/judge.h"
#include "workload/runtime/plugins.h"

namespace strobe {
namespace {

constexpr int kCanaries = 400;  // about a fifth of a second

// One GPU: what it is, and what its marks, kernel launches and waits cost.
Case gpu_case(const std::string& name) {
  const auto device = open_device(name);
  Case c;
  c.name = name;
  DeviceInfo& info = c.device.emplace(device->info());
  c.version = info.name;
  info.calibration = calibrate(*device, Depth::thorough);
  const Calibration& figures = info.calibration;
  std::vector<std::string> words{fmt::format("CUDA {}, driver {}", fact<std::string>(info.facts, "cuda").value_or("?"),
                                             fact<std::string>(info.facts, "driver").value_or("?"))};
  if (const auto memory = fact<std::int64_t>(info.facts, "memory_bytes"))
    words.push_back(format_bytes(Bytes{static_cast<std::uint64_t>(*memory)}));
  const auto add = [&](const char* key, const char* text) {
    if (const auto it = figures.find(key); it != figures.end())
      words.push_back(fmt::format("{} {}", text, format_time(it->second)));
  };
  add("mark_tick_ns", "tick");
  add("mark_ns", "mark");
  add("launch_ns", "kernel launch");
  add("mark_pair_ns", "empty pair");
  add("kernel_pair_ns", "pair around an empty kernel");
  add("sync_after_work_ns", "wait after work");
  add("graph_launch_ns", "graph launch");
  if (const auto it = figures.find("queue_depth"); it != figures.end())
    words.push_back(fmt::format("{:.0f} kernel launches queue", it->second));
  if (const auto fast = figures.find("streams_fast"); fast != figures.end())
    words.push_back(fmt::format("{:.0f} of {:.0f} streams pause {} between kernels, the others {}", fast->second,
                                fast->second + figures.at("streams_slow"),
                                format_time(figures.at("stream_pause_fast_ns")),
                                format_time(figures.at("stream_pause_slow_ns"))));
  else
    add("stream_pause_ns", "pause between kernels");
  if (const auto it = figures.find("copy_gbps"); it != figures.end())
    words.push_back(fmt::format("copy {:.0f} GB/s", it->second));
  if (const auto in = figures.find("copy_in_gbps"), out = figures.find("copy_out_gbps"); in != figures.end())
    words.push_back(fmt::format("from the host {:.1f}, to it {:.1f} GB/s", in->second, out->second));
  c.about = fmt::format("{}", fmt::join(words, ", "));
  return c;
}

// What would spoil a measurement on a GPU, and how to mend it.
void check_gpu(const Case& gpu, Record& r) {
  Record on_it;
  on_it.device.facts = gpu.device->facts;
  for (Finding& f : examine(on_it)) {
    f.message = fmt::format("{}: {}", gpu.name, f.message);
    r.findings.push_back(std::move(f));
  }
}

void add_gpus(Record& r) {
  try {
    for (const std::string& name : gpu_names()) {
      try {
        r.cases.push_back(gpu_case(name));
        check_gpu(r.cases.back(), r);
      } catch (const Error& e) {
        r.cases.push_back({name, {}, {}, {}, e.what(), {}, {}});
      }
    }
  } catch (const Error& e) {
    r.cases.push_back({"cuda", {}, {}, {}, e.cause(), {}, {}});
  }
}

// A runtime may be here and still not find what it needs on a GPU: better said now than when a model loads.
std::string gpu_word(const Runtime& runtime) {
  try {
    const auto gpu = open_device("cuda:0");
    const Capability can = runtime.runs_on(*gpu);
    return can ? "; uses the GPU" : fmt::format("; not on the GPU: {}", can.why_not);
  } catch (const Error&) {  // there is none, which its own line says
    return {};
  }
}

Case runtime_case(const RuntimeEntry& entry) {
  Case c;
  c.name = entry.name;
  try {
    const auto runtime = load_runtime(entry.name);
    c.version = runtime->version();
    c.about = fmt::format("reads {}{}", entry.suffixes, gpu_word(*runtime));
  } catch (const Error& e) {
    c.error = e.what();
  }
  return c;
}

}  // namespace

Record examine_machine() {
  Record r = new_record(verb::doctor);
  r.status = Status::fixed;
  InlineDevice cpu;
  r.device = cpu.info();
  HostSampler sampler;
  r.device.calibration = calibrate(cpu);
  std::vector<double> canaries;
  for (int i = 0; i < kCanaries; ++i) canaries.push_back(to_double(canary(cpu.clock())));
  r.telemetry = sampler.stop();
  r.telemetry.facts["canary_excess"] = stats::canary_excess(canaries);
  r.device.calibration["canary_ns"] = *std::min_element(canaries.begin(), canaries.end());
  Case& part = r.cases.emplace_back();
  part.name = "cpu";
  part.version = fact<std::string>(r.host, "cpu").value_or("unknown");
  part.about = counted(static_cast<std::uint64_t>(fact<std::int64_t>(r.host, "cores").value_or(1)), "core", "cores");
  r.findings = examine(r);
  add_gpus(r);
  for (const RuntimeEntry& entry : known_runtimes()) r.cases.push_back(runtime_case(entry));
  r.verdict = verdict_of(r.findings);
  return r;
}

}  // namespace strobe
