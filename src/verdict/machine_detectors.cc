// SPDX-License-Identifier: Apache-2.0
// On what it ran: the host's quiet, and the build of strobe itself.
#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "record/deciding.h"
#include "record/metric_names.h"
#include "record/names.h"
#include "record/scalars.h"
#include "record/study_info.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

// The part of the latency in which the device waits for the host. On a queue the rest of what the host does is hidden
// behind the device's work, and may take longer without anybody noticing.
double host_share(const Record& r) {
  const Metric *latency = r.find(metric::latency), *submit = r.find(metric::submit),
               *device_time = r.find(metric::device_time);
  if (!r.device.asynchronous || !latency || latency->estimate.value <= 0) return 1;
  const double all = latency->estimate.value;
  if (waits_for_host(r) && submit) return std::clamp(submit->estimate.value / all, 0.0, 1.0);
  return device_time ? std::clamp(1 - device_time->estimate.value / all, 0.0, 1.0) : 1;
}

}  // namespace

// The canary is a fixed piece of work, timed once a round on the CPU of the thread that measures: what slows it slows
// the host's part of a request, too.
std::optional<Finding> noisy_host(const Record& r) {
  constexpr double kCanary = 0.03, kSteal = 0.005;
  const double excess = fact<double>(r.telemetry.facts, "canary_excess").value_or(0),
               steal = fact<double>(r.telemetry.facts, "steal_share").value_or(0);
  if (excess <= kCanary && steal <= kSteal) return {};
  const double effect = host_share(r) * std::max(excess, steal);
  const std::string what =
      excess > kCanary
          ? fmt::format("a fixed piece of work took {} longer in the middle of the run than at its best",
                        format_percent(excess))
          : fmt::format("{} of the CPU time was stolen by other guests of this machine", format_percent(steal));
  return Finding{.id = "noisy-host",
                 .about = About::machine,
                 .severity = by_effect_on_host(effect, r),
                 .message = what,
                 .advice = "Stop what else runs here, or compare minima over several launches instead of medians.",
                 .evidence = {{"canary_excess", excess}, {"steal_share", steal}, {"effect", effect}}};
}

// What other guests do to caches and memory shows in no counter of ours, and can last for minutes: a run that lies
// wholly in such a stretch is steady, and wrong for the next one.
std::optional<Finding> one_launch(const Record& r) {
  if (r.device.kind != "cpu" || !r.host.contains("virtualisation")) return {};
  return Finding{
      .id = "one-launch",
      .about = About::machine,
      .severity = Severity::note,
      .message = "the intervals cover this launch only; on a virtual machine another launch can differ by far more",
      .advice = "Repeat the command after some minutes before you compare it with anything."};
}

// A clock that follows the load may be slower for this load than for another; how much, nobody knows before it is
// fixed.
std::optional<Finding> governor(const Record& r) {
  const auto word = fact<std::string>(r.host, "governor");
  if (!word || *word == "performance" || r.device.kind == "simulated" || r.device.kind.empty()) return {};
  return Finding{
      .id = "governor",
      .about = About::machine,
      .severity = Severity::note,
      .message = fmt::format(
          "the CPU's frequency governor is '{}': its clock follows the load, and the effect is unknown", *word),
      .advice = "Set it: sudo cpupower frequency-set -g performance."};
}

std::optional<Finding> load(const Record& r) {
  const auto x = fact<double>(r.host, "load");
  const auto cores = fact<std::int64_t>(r.host, "cores");
  if (!x || !cores || *x < 0.5 * static_cast<double>(*cores)) return {};
  return Finding{.id = "load",
                 .about = About::machine,
                 .severity = Severity::warning,
                 .message = fmt::format("the load average is {:.1f} on {}", *x,
                                        counted(static_cast<std::uint64_t>(*cores), "core", "cores")),
                 .advice = "Stop what else runs here, or wait."};
}

std::optional<Finding> cgroup_quota(const Record& r) {
  const auto cpus = fact<double>(r.host, "cgroup_cpus");
  const auto cores = fact<std::int64_t>(r.host, "cores");
  if (!cpus || !cores || *cpus >= static_cast<double>(*cores)) return {};
  return Finding{.id = "cgroup-quota",
                 .about = About::machine,
                 .severity = Severity::warning,
                 .message = fmt::format("the cgroup allows {:.2g} CPUs' worth of time on {} cores: a runtime with {} "
                                        "threads is stopped again and again",
                                        *cpus, *cores, *cores),
                 .advice = fmt::format("Use --threads {:.0f}, or raise the quota.", std::max(1.0, *cpus))};
}

std::optional<Finding> virtual_machine(const Record& r) {
  const auto guest = fact<std::string>(r.host, "virtualisation");
  if (!guest) return {};
  return Finding{.id = "virtual-machine",
                 .about = About::machine,
                 .severity = Severity::note,
                 .message = fmt::format("this is a virtual machine{}: other guests can disturb it unseen",
                                        *guest == kUnknownGuest ? "" : fmt::format(" ({})", *guest)),
                 .advice = "Trust comparisons within one run more than results from different hours."};
}

std::optional<Finding> smt(const Record& r) {
  if (!fact<bool>(r.host, "smt").value_or(false)) return {};
  return Finding{.id = "smt",
                 .about = About::machine,
                 .severity = Severity::note,
                 .message = "two hardware threads share a core",
                 .advice = "Use no more --threads than there are cores."};
}

std::optional<Finding> debug_build(const Record& r) {
  if (study_info(r).foreign || r.strobe.build == "Release" || r.strobe.build == "RelWithDebInfo" ||
      r.strobe.build.empty())
    return {};
  return Finding{.id = "debug-build",
                 .severity = Severity::note,
                 .message = fmt::format("strobe itself is a {} build: its own overhead is larger", r.strobe.build),
                 .advice = "Use the release build (make build)."};
}

}  // namespace strobe
