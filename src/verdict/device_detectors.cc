// SPDX-License-Identifier: Apache-2.0
// What the device itself was doing, and what it was asked to do: clocks, power, neighbours, precision, fall-backs.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "record/precision.h"
#include "record/scalars.h"
#include "stats/middle.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

// Bits of the driver's clock event reasons. Idle (1), application clocks (2) and display (0x100) are no throttling.
constexpr std::uint64_t kPowerCap = 0x4, kSlowdowns = 0x8 | 0x20 | 0x40 | 0x80;

double share_of_samples_with(const Record& r, std::uint64_t bits) {
  const auto it = r.telemetry.columns.find("throttle");
  if (it == r.telemetry.columns.end() || it->second.empty()) return 0;
  const auto n = std::count_if(it->second.begin(), it->second.end(),
                               [&](double mask) { return (static_cast<std::uint64_t>(mask) & bits) != 0; });
  return static_cast<double>(n) / static_cast<double>(it->second.size());
}

// Of the time, as the board counted it over the whole measurement; older drivers have the masks only, ten times a
// second.
struct Slowed {
  double share = 0;
  bool counted = false;
  const char* why = "temperature, power brake or hardware";
};

Slowed slowed(const Record& r) {
  struct Reason {
    const char *fact, *why;
  };
  constexpr std::array kReasons{Reason{"thermal_slowdown_share", "temperature"},
                                Reason{"hardware_slowdown_share", "temperature, by the hardware"},
                                Reason{"power_brake_share", "power brake"}};
  std::optional<Slowed> most;
  for (const Reason& reason : kReasons) {
    const auto share = fact<double>(r.telemetry.facts, reason.fact);
    if (share && (!most || *share > most->share)) most = Slowed{*share, true, reason.why};
  }
  return most.value_or(Slowed{.share = share_of_samples_with(r, kSlowdowns)});
}

std::string share_text(double share, bool counted) {
  return fmt::format(fmt::runtime(counted ? "for {} of the time" : "in {} of the telemetry samples"),
                     format_percent(share));
}

// How far the clock under load lies below the highest the board reports: an upper bound of what throttling costs.
double clock_loss(const Record& r) {
  const auto most = fact<double>(r.device.facts, "sm_mhz_max");
  double lowest = 0;
  for (const auto& [metric, mhz] : r.observations.clocks_per_pass) lowest = lowest == 0 ? mhz : std::min(lowest, mhz);
  if (const auto it = r.telemetry.columns.find("sm_mhz"); lowest == 0 && it != r.telemetry.columns.end())
    lowest = stats::middle_of(it->second);  // no pass was bracketed by probes of its own
  return most && lowest > 0 ? std::max(0.0, 1 - lowest / *most) : 0;
}

}  // namespace

std::optional<Finding> throttled(const Record& r) {
  constexpr double kSome = 0.001;
  const auto [share, counted, why] = slowed(r);
  if (share < kSome) return {};
  const double loss = clock_loss(r);
  return Finding{.id = "throttled",
                 .severity = by_effect(loss * share, r, metric::device_time),
                 .message = fmt::format("the device was slowed down ({}) {}; its clock is {} below its highest", why,
                                        share_text(share, counted), format_percent(loss)),
                 .advice = "Improve the cooling, or pause between measurements.",
                 .evidence = {{"share", share}, {"clock_loss", loss}}};
}

// Clocks come in steps of 15 MHz, which NVML rounds to. A limit on power or temperature is stronger than a lock.
std::optional<Finding> clock_not_held(const Record& r) {
  constexpr double kHeld = 0.02;
  const auto locked = fact<double>(r.settings, "lock_clocks");
  const auto& seen = r.observations.clocks_per_pass;
  if (!locked || *locked <= 0 || seen.empty()) return {};
  const auto off = [&](const auto& a) { return std::fabs(a.second / *locked - 1); };
  const auto worst =
      std::max_element(seen.begin(), seen.end(), [&](const auto& a, const auto& b) { return off(a) < off(b); });
  if (off(*worst) <= kHeld) return {};
  return Finding{.id = "clock-not-held",
                 .severity = by_effect(off(*worst), r, metric::device_time),
                 .message = fmt::format("the clock was locked at {:.0f} MHz, and was {:.0f} MHz in {}", *locked,
                                        worst->second, metric_label(worst->first)),
                 .advice = "Take a clock that the board holds under this load, below its limits.",
                 .evidence = {{"locked_mhz", *locked}, {"mhz", worst->second}, {"effect", off(*worst)}}};
}

// A power limit belongs to the deployment: the figure is right for this board at this limit.
std::optional<Finding> power_capped(const Record& r) {
  const auto counted = fact<double>(r.telemetry.facts, "power_cap_share");
  const double share = counted.value_or(share_of_samples_with(r, kPowerCap));
  if (share < 0.05) return {};
  return Finding{.id = "power-capped",
                 .about = About::workload,
                 .severity = Severity::note,
                 .message = fmt::format("the power limit held the clock down {} ({} below its highest)",
                                        share_text(share, counted.has_value()), format_percent(clock_loss(r))),
                 .advice = "Compare only with the same limit; values of inputs and weights matter, too.",
                 .evidence = {{"share", share}}};
}

// Whether it was reached is power-capped's word; this one says that the board could do more.
std::optional<Finding> power_limit(const Record& r) {
  const auto limit = fact<double>(r.device.facts, "power_limit_w"),
             usual = fact<double>(r.device.facts, "power_limit_default_w");
  if (!limit || !usual || *limit >= 0.99 * *usual) return {};
  return Finding{
      .id = "power-limit",
      .about = About::machine,
      .severity = Severity::note,
      .message = fmt::format("the board's power is limited to {:.0f} W, and its default is {:.0f} W", *limit, *usual),
      .advice = "Compare only with the same limit, or restore it: sudo nvidia-smi -pl.",
      .evidence = {{"limit_w", *limit}, {"default_w", *usual}}};
}

std::optional<Finding> persistence(const Record& r) {
  if (fact<bool>(r.device.facts, "persistence").value_or(true)) return {};
  return Finding{.id = "persistence",
                 .about = About::machine,
                 .severity = Severity::note,
                 .message = "persistence mode is off: the driver restarts for each process",
                 .advice = "Turn it on: sudo nvidia-smi -pm 1."};
}

std::optional<Finding> clocks_differ(const Record& r) {
  constexpr double kDiffer = 0.02;
  double low = 0, high = 0;
  std::string slow, fast;
  for (const auto& [metric, mhz] : r.observations.clocks_per_pass) {
    const MetricInfo* info = metric_info(metric);
    if (info && info->transfer != Transfer::none) continue;  // the processors idle, and clock higher for it
    if (low == 0 || mhz < low) {
      low = mhz;
      slow = metric;
    }
    if (mhz > high) {
      high = mhz;
      fast = metric;
    }
  }
  if (low == 0 || high / low - 1 <= kDiffer) return {};
  const double effect = high / low - 1;
  return Finding{
      .id = "clocks-differ",
      .severity = by_effect(effect, r, metric::device_time),
      .message = fmt::format("the device's clock was {:.0f} MHz while {} was measured and {:.0f} MHz while {} "
                             "was: they can be compared to within {} only",
                             low, slow, high, fast, format_percent(effect)),
      .advice = "Lock the clock (nvidia-smi -lgc), or measure for longer (--effort standard).",
      .evidence = {{"effect", effect}}};
}

std::optional<Finding> other_process(const Record& r) {
  const auto n = fact<std::int64_t>(r.device.facts, "other_processes").value_or(0);
  if (n == 0) return {};
  const auto busy = fact<double>(r.device.facts, "busy_before");
  const double effect = busy.value_or(0);
  return Finding{
      .id = "other-process",
      .about = About::machine,
      .severity = by_effect(effect, r, metric::device_time),
      .message = fmt::format("{} other process{} on this GPU before the run{}", n, n == 1 ? " computed" : "es computed",
                             busy ? fmt::format(", which was {} busy", format_percent(*busy)) : ""),
      .advice = "Stop them ('nvidia-smi' lists them), or use another GPU.",
      .evidence = {{"processes", static_cast<double>(n)}, {"effect", effect}}};
}

// A context alone does no work: some runtimes make one on the first GPU whatever they are asked for.
std::optional<Finding> other_device(const Record& r) {
  const auto& others = r.observations.other_devices;
  if (others.empty()) return {};
  return Finding{
      .id = "other-device",
      .severity = Severity::note,
      .message = fmt::format("this process also uses {}: work there is in the latency, but in no device time",
                             fmt::join(others, ", ")),
      .advice = "Show the process one GPU only (CUDA_VISIBLE_DEVICES).",
      .evidence = {{"devices", static_cast<double>(others.size())}}};
}

// Data in that part stays where a flush and other kernels would evict it.
std::optional<Finding> persisting_cache(const Record& r) {
  const auto bytes = fact<std::int64_t>(r.device.facts, "persisting_l2_bytes").value_or(0);
  if (bytes <= 0) return {};
  const auto cache = fact<std::int64_t>(r.device.facts, "l2_bytes").value_or(0);
  return Finding{.id = "persisting-cache",
                 .severity = Severity::note,
                 .message = fmt::format(
                     "{} of the GPU's cache{} are set aside for persisting data: less is left for the "
                     "rest, and a cold cache may not be cold",
                     format_bytes(Bytes{static_cast<std::uint64_t>(bytes)}),
                     cache > 0 ? fmt::format(" of {}", format_bytes(Bytes{static_cast<std::uint64_t>(cache)})) : ""),
                 .advice = "Set cudaLimitPersistingL2CacheSize to 0, or compare only with the same setting.",
                 .evidence = {{"bytes", static_cast<double>(bytes)}}};
}

std::optional<Finding> shared_gpu(const Record& r) {
  const bool mig = fact<bool>(r.device.facts, "mig").value_or(false),
             mps = fact<bool>(r.device.facts, "mps").value_or(false);
  if (!mig && !mps) return {};
  return Finding{.id = "shared-gpu",
                 .about = About::machine,
                 .severity = Severity::note,
                 .message = mps ? "the GPU is shared by MPS: other clients may run at the same time"
                                : "this is a part of a GPU (MIG): power and caches may be shared",
                 .advice = "Compare only with the same division, and watch for level shifts."};
}

std::optional<Finding> profiler_attached(const Record& r) {
  constexpr double kUsualKernelLaunch = 20'000;  // ns: four times what a slow host needs
  const auto tool = fact<std::string>(r.device.facts, "profiler");
  const auto launch = r.device.calibration.find("launch_ns");
  if (!tool && launch != r.device.calibration.end() && launch->second > kUsualKernelLaunch)
    return Finding{.id = "profiler-attached",
                   .severity = Severity::note,
                   .message = fmt::format("launching an empty kernel takes {}: a profiler may be attached unseen",
                                          format_time(launch->second)),
                   .advice = "Look for tools that were loaded into this process.",
                   .evidence = {{"launch_ns", launch->second}}};
  if (!tool) return {};
  return Finding{
      .id = "profiler-attached",
      .severity = Severity::warning,
      .message = fmt::format("a profiler or debugger is attached ({}): every kernel launch costs more", *tool),
      .advice = "Measure without it; use the profile separately."};
}

// Memory of the other socket costs kernel launches and copies, not kernels.
std::optional<Finding> numa_remote(const Record& r) {
  const auto node = fact<std::int64_t>(r.device.facts, "numa_node");
  const auto ours = r.observations.host_numa_node;
  if (!node || !ours || *node == *ours) return {};
  return Finding{
      .id = "numa-remote",
      .about = About::machine,
      .severity = Severity::note,
      .message = fmt::format("requests are submitted from NUMA node {}, but the GPU is on node {}", *ours, *node),
      .advice = "Use --pin auto, or numactl --cpunodebind."};
}

// Device allocations inside the window: each waits for the device.
std::optional<Finding> allocates_inside_timing(const Record& r) {
  const auto n = r.observations.allocations_per_request;
  if (!n || *n <= 0.001) return {};
  return Finding{.id = "allocates-inside-timing",
                 .about = About::workload,
                 .severity = Severity::note,
                 .message = fmt::format("the runtime asks the device for memory {:.3g} times a request", *n),
                 .advice = "Warm every shape up, or keep buffers: such calls wait for the whole device.",
                 .evidence = {{"per_request", *n}}};
}

std::optional<Finding> reduced_math(const Record& r) {
  const bool tf32 = r.device.kind == "cuda" && allows_tf32(r.model);
  const auto dtype = fact<std::string>(r.model.facts, "dtype");
  const bool f32 =
      std::any_of(r.model.inputs.begin(), r.model.inputs.end(), [](const TensorInfo& t) { return t.type == "f32"; });
  if (!(tf32 && f32) && !dtype) return {};
  return Finding{
      .id = "reduced-math",
      .about = About::workload,
      .severity = Severity::note,
      .message = dtype ? fmt::format("weights and inputs were converted to {}", *dtype)
                       : "float32 products may run as TF32, with 10 bits of mantissa",
      .advice = "Compare only with the same precision; --set turns TF32 off (cuda.use_tf32=0 or allow_tf32=0)."};
}

std::optional<Finding> cpu_fallback(const Record& r) {
  const auto n = r.observations.fallback_nodes;
  if (!n || *n == 0) return {};
  const std::uint64_t copies = r.observations.work ? r.observations.work->inserted_copies : 0;
  return Finding{.id = "cpu-fallback",
                 .about = About::workload,
                 .severity = Severity::note,
                 .message = fmt::format("{} operator{} on the CPU, and the runtime inserted {} between it and the GPU",
                                        *n, *n == 1 ? " runs" : "s run", counted(copies, "copy", "copies")),
                 .advice = "Look for operators that the GPU provider lacks; shapes computed on the CPU are harmless.",
                 .evidence = {{"nodes", static_cast<double>(*n)}, {"copies", static_cast<double>(copies)}}};
}

// Copies from memory that is not pinned: the driver copies twice and the host waits.
std::optional<Finding> pageable_copy(const Record& r) {
  const auto io = fact<std::string>(r.settings, "io");
  const Metric *all = r.find(metric::end_to_end), *latency = r.find(metric::latency);
  if (!io || *io != "runtime" || !all || !latency) return {};
  const double share = 1 - latency->estimate.value / all->estimate.value;
  if (share < 0.05) return {};
  return Finding{
      .id = "pageable-copy",
      .about = About::workload,
      .severity = Severity::note,
      .message = fmt::format("{} of end to end goes into copies from and to pageable memory", format_percent(share)),
      .advice = "Pin the tensors, or keep them on the device (--copies shows what that gives).",
      .evidence = {{"share", share}}};
}

// Faster than this device's own best in the same precision: then something was not computed. Bytes are held against the
// memory only when the parameters cannot stay in the cache. Plain f32 convolutions may run as Winograd's, which need as
// much as 2.25 times fewer products (16 instead of 36 for 2 x 2 outputs of 3 x 3 weights) than the formula counts.
std::optional<Finding> impossible(const Record& r) {
  constexpr double kSlack = 1.05, kWinograd = 2.25;
  const Metric* time = r.find(metric::device_time) ? r.find(metric::device_time) : r.find(metric::span);
  if (!r.observations.work || !time || time->estimate.value <= 0) return {};
  const auto figure = [&](const char* key) {
    const auto it = r.device.calibration.find(key);
    return it == r.device.calibration.end() ? 0.0 : it->second;
  };
  const double seconds = time->estimate.value * 1e-9;
  const double tflops = r.observations.work->flops.value_or(0) / seconds * 1e-12, peak = figure("gemm_tflops");
  const double gbps = r.observations.work->least_bytes.value_or(0) / seconds * 1e-9, copy = figure("copy_gbps");
  const auto cache = fact<std::int64_t>(r.device.facts, "l2_bytes").value_or(0);
  const bool cached = r.observations.work->least_bytes.value_or(0) < 2.0 * static_cast<double>(cache);
  const bool plain = !allows_tf32(r.model) && !computes_in_half(r.model) && !computes_in_integers(r.model);
  const bool compute = peak > 0 && tflops > kSlack * (plain ? kWinograd : 1) * peak;
  const bool memory = copy > 0 && !cached && gbps > kSlack * copy;
  if (!compute && !memory) return {};
  return Finding{.id = "impossible",
                 .severity = Severity::invalid,
                 .message = compute ? fmt::format("{:.1f} TFLOP/s is more than this GPU's best of {:.1f}", tflops, peak)
                                    : fmt::format("{:.0f} GB/s is more than this GPU's best of {:.0f}", gbps, copy),
                 .advice = "The model does not compute what it should, or --flops is wrong.",
                 .evidence = {{"tflops", tflops}, {"peak_tflops", peak}, {"gbps", gbps}, {"peak_gbps", copy}}};
}

}  // namespace strobe
