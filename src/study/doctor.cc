#include "study/doctor.h"

#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "device/inline_device.h"
#include "device/open_device.h"
#include "host/facts.h"
#include "host/sampler.h"
#include "measure/calibration.h"
#include "record/scalars.h"
#include "stats/canary.h"
#include "study/new_record.h"
#include "workload/plugins.h"

namespace strobe {
namespace {

constexpr int kCanaries = 400;  // about a fifth of a second

// Each looks at the facts and may say what is wrong and how to mend it.
using Check = std::optional<Finding> (*)(const Record&);

Finding spoiler(std::string id, Severity severity, std::string message, std::string advice) {
  return {.id = std::move(id),
          .about = About::machine,
          .severity = severity,
          .message = std::move(message),
          .advice = std::move(advice)};
}

std::optional<Finding> governor(const Record& r) {
  const auto g = fact<std::string>(r.host, "governor");
  if (!g || *g == "performance") return {};
  return spoiler("governor", Severity::warning,
                 fmt::format("the CPU's frequency governor is '{}': clocks follow the load", *g),
                 "Set it: sudo cpupower frequency-set -g performance.");
}

std::string cores_text(std::int64_t cores) {
  return counted(static_cast<std::uint64_t>(cores), "core", "cores");
}

std::optional<Finding> load(const Record& r) {
  const auto x = fact<double>(r.host, "load");
  const auto cores = fact<std::int64_t>(r.host, "cores");
  if (!x || !cores || *x < 0.5 * static_cast<double>(*cores)) return {};
  return spoiler("load", Severity::warning, fmt::format("the load average is {:.1f} on {}", *x, cores_text(*cores)),
                 "Stop what else runs here, or wait.");
}

std::optional<Finding> steal(const Record& r) {
  const auto x = fact<double>(r.telemetry.facts, "steal_share");
  if (!x || *x <= 0.005) return {};
  return spoiler("steal", Severity::warning,
                 fmt::format("other guests of this machine take {} of the CPU time", format_percent(*x)),
                 "Use bare metal, or compare minima over several launches.");
}

std::optional<Finding> quiet(const Record& r) {
  const auto x = fact<double>(r.telemetry.facts, "canary_excess");
  if (!x || *x <= stats::kNoisyHost) return {};
  return spoiler("noisy-host", Severity::warning,
                 fmt::format("a fixed piece of work takes {} longer than at its best", format_percent(*x)),
                 "Stop what else runs here.");
}

std::optional<Finding> quota(const Record& r) {
  const auto cpus = fact<double>(r.host, "cgroup_cpus");
  const auto cores = fact<std::int64_t>(r.host, "cores");
  if (!cpus || !cores || *cpus >= static_cast<double>(*cores)) return {};
  return spoiler("cgroup-quota", Severity::warning,
                 fmt::format("the cgroup allows {:.2g} CPUs' worth of time on {} cores: a runtime with {} threads is "
                             "stopped again and again",
                             *cpus, *cores, *cores),
                 fmt::format("Use --threads {:.0f}, or raise the quota.", std::max(1.0, *cpus)));
}

std::optional<Finding> guest(const Record& r) {
  const auto v = fact<std::string>(r.host, "virtualisation");
  if (!v) return {};
  return spoiler("virtual-machine", Severity::note,
                 fmt::format("this is a virtual machine{}: other guests can disturb it unseen",
                             *v == kUnknownGuest ? "" : fmt::format(" ({})", *v)),
                 "Trust comparisons within one run more than results from different hours.");
}

std::optional<Finding> hyperthreads(const Record& r) {
  if (!fact<bool>(r.host, "smt").value_or(false)) return {};
  return spoiler("smt", Severity::note, "two hardware threads share a core",
                 "Use no more --threads than there are cores.");
}

constexpr std::array<Check, 7> kChecks{governor, load, steal, quiet, quota, guest, hyperthreads};

// One GPU: what it is, and what its marks, launches and waits cost.
Case gpu_case(const std::string& name) {
  const auto device = open_device(name);
  const DeviceInfo info = device->info();
  Case c;
  c.name = name;
  c.settings = info.facts;
  c.settings["version"] = info.name;
  const Calibration figures = calibrate(*device, Depth::thorough);
  for (const auto& [key, value] : figures) c.settings["calibration." + key] = value;
  std::vector<std::string> words{fmt::format("CUDA {}, driver {}", fact<std::string>(info.facts, "cuda").value_or("?"),
                                             fact<std::string>(info.facts, "driver").value_or("?"))};
  if (const auto memory = fact<std::int64_t>(info.facts, "memory_bytes"))
    words.push_back(format_bytes(Bytes{static_cast<std::uint64_t>(*memory)}));
  const auto add = [&](const char* key, const char* text) {
    if (const auto it = figures.find(key); it != figures.end())
      words.push_back(fmt::format("{} {}", text, format_time(it->second)));
  };
  add("mark_tick_ns", "tick"), add("mark_ns", "mark"), add("launch_ns", "launch");
  add("mark_pair_ns", "empty pair"), add("kernel_pair_ns", "pair around an empty kernel");
  add("sync_after_work_ns", "wait after work"), add("graph_launch_ns", "graph launch");
  if (const auto it = figures.find("queue_depth"); it != figures.end())
    words.push_back(fmt::format("{:.0f} launches queue", it->second));
  if (const auto it = figures.find("copy_gbps"); it != figures.end())
    words.push_back(fmt::format("copy {:.0f} GB/s", it->second));
  if (const auto in = figures.find("copy_in_gbps"), out = figures.find("copy_out_gbps"); in != figures.end())
    words.push_back(fmt::format("from the host {:.1f}, to it {:.1f} GB/s", in->second, out->second));
  c.about = fmt::format("{}", fmt::join(words, ", "));
  return c;
}

// What would spoil a measurement on a GPU, and how to mend it.
void check_gpu(const Case& gpu, Record& r) {
  const auto add = [&](const char* id, Severity s, std::string message, std::string advice) {
    r.findings.push_back(spoiler(id, s, fmt::format("{}: {}", gpu.name, message), std::move(advice)));
  };
  if (const auto n = fact<std::int64_t>(gpu.settings, "other_processes"); n.value_or(0) > 0)
    add("other-process", Severity::warning,
        fmt::format("{} on it", *n == 1 ? "another process computes" : fmt::format("{} other processes compute", *n)),
        "Stop them; 'nvidia-smi' lists them.");
  if (fact<bool>(gpu.settings, "mig").value_or(false))
    add("shared-gpu", Severity::note, "it is divided (MIG): memory bandwidth and power may be shared",
        "Compare only with the same division.");
  if (fact<bool>(gpu.settings, "mps").value_or(false))
    add("shared-gpu", Severity::warning, "MPS is on: other clients may run at the same time", "Stop the MPS daemon.");
  if (!fact<bool>(gpu.settings, "persistence").value_or(true))
    add("persistence", Severity::note, "persistence mode is off: the driver restarts for each process",
        "Turn it on: sudo nvidia-smi -pm 1.");
  const auto limit = fact<double>(gpu.settings, "power_limit_w"),
             usual = fact<double>(gpu.settings, "power_limit_default_w");
  if (limit && usual && *limit < 0.99 * *usual)
    add("power-limit", Severity::warning, fmt::format("its power is limited to {:.0f} of {:.0f} W", *limit, *usual),
        "Restore it: sudo nvidia-smi -pl.");
  if (const auto tool = fact<std::string>(gpu.settings, "profiler"))
    add("profiler-attached", Severity::warning, *tool, "Run without the profiler.");
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
    c.settings["version"] = runtime->version();
    c.about = fmt::format("reads {}{}", entry.suffixes, gpu_word(*runtime));
  } catch (const Error& e) {
    c.error = e.what();
  }
  return c;
}

}  // namespace

Record examine_machine() {
  Record r = new_record("doctor");
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
  r.cases.push_back({"cpu",
                     {{"version", fact<std::string>(r.host, "cpu").value_or("unknown")}},
                     {},
                     {},
                     {},
                     cores_text(fact<std::int64_t>(r.host, "cores").value_or(1)),
                     {}});
  add_gpus(r);
  for (const RuntimeEntry& entry : known_runtimes()) r.cases.push_back(runtime_case(entry));
  for (const Check check : kChecks) {
    if (auto f = check(r)) r.findings.push_back(std::move(*f));
  }
  for (const Finding& f : r.findings) {
    if (f.severity == Severity::warning) r.verdict = Verdict::caution;
  }
  return r;
}

}  // namespace strobe
