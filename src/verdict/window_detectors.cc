// SPDX-License-Identifier: Apache-2.0
// What the operating system did to the process while it was measured. A share of the window's time is the effect on a
// mean, and no less than that on a median.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/format.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

// Of the window that was watched; 0 where nothing was.
double share_of_window(const Disturbances& d, double ns) {
  return d.watched_ns > 0 ? std::min(1.0, ns / d.watched_ns) : 0;
}

std::string times(std::uint64_t n) {
  return n == 1 ? "once" : fmt::format("{} times", format_count(n));
}

// File names, but not more than a line of them.
std::string first_names(const std::vector<std::string>& paths) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kMost, paths.size()); ++i)
    names.push_back(std::filesystem::path(paths[i]).filename().string());
  return fmt::format("{}{}", fmt::join(names, ", "), paths.size() > kMost ? ", …" : "");
}

}  // namespace

// Lazy loading, a plugin, a kernel that was compiled: the process was not warm yet.
std::optional<Finding> loads_inside_timing(const Record& r) {
  const auto& d = r.observations.disturbances;
  if (!d || d->loads == 0) return {};
  return Finding{.id = "loads-inside-timing",
                 .severity = by_effect_on_host(d->loading_share, r),
                 .message = fmt::format(
                     "shared libraries were loaded {} in the measured window{}: this cost {} of the requests' time",
                     times(d->loads), d->libraries.empty() ? "" : fmt::format(" ({})", first_names(d->libraries)),
                     format_percent(d->loading_share)),
                 .advice = "Warm up for longer (--warmup), or load what is needed before the first request.",
                 .evidence = {{"loads", static_cast<double>(d->loads)}, {"effect", d->loading_share}}};
}

// Memory that was swapped out, or a file that is read as it is used. Reading a page takes 0.1 ms from flash, and a
// hundred times that from a turning disk.
std::optional<Finding> page_faults(const Record& r) {
  constexpr double kPageNs = 100'000, kNoted = 0.001;
  const auto& d = r.observations.disturbances;
  if (!d) return {};
  const double effect = share_of_window(*d, kPageNs * static_cast<double>(d->major_faults));
  if (effect < kNoted) return {};
  return Finding{
      .id = "page-faults",
      .about = About::machine,
      .severity = by_effect_on_host(effect, r),
      .message = fmt::format("{} pages had to come from a disk in the measured window: at 0.1 ms each that is "
                             "{} of its time",
                             format_count(d->major_faults), format_percent(effect)),
      .advice = "Make room in memory (does the machine swap?), or warm up for longer.",
      .evidence = {{"faults", static_cast<double>(d->major_faults)}, {"effect", effect}}};
}

// A thread that sleeps of its own will waits a little at each wake-up, too: only the share of the involuntary switches
// counts. Each makes one request longer, and the median follows when half of them are hit; the mean, which feels every
// one, is in the hands of `outliers`.
std::optional<Finding> preempted(const Record& r) {
  constexpr double kNoted = 0.002;
  const auto& d = r.observations.disturbances;
  const Metric* latency = r.headline();
  if (!d || d->preemptions == 0 || !d->waited_ns || !latency) return {};
  const auto preemptions = static_cast<double>(d->preemptions);
  const double involuntary = preemptions / static_cast<double>(std::max(d->switches, d->preemptions));
  const double share = share_of_window(*d, *d->waited_ns * involuntary);
  if (share < kNoted) return {};
  const double effect =
      share * std::min(1.0, 2 * preemptions / static_cast<double>(std::max<std::uint64_t>(latency->n, 1)));
  return Finding{.id = "preempted",
                 .about = About::machine,
                 .severity = by_effect_on_host(effect, r),
                 .message = fmt::format("the measuring thread lost its CPU {}, and waited for it {} of the time",
                                        times(d->preemptions), format_percent(share)),
                 .advice = "Stop what else runs here, and use no more --threads than cores.",
                 .evidence = {{"preemptions", preemptions}, {"share", share}, {"effect", effect}}};
}

std::optional<Finding> cpu_limited(const Record& r) {
  const auto& d = r.observations.disturbances;
  if (!d || d->throttled_ns.value_or(0) <= 0) return {};
  const double effect = share_of_window(*d, *d->throttled_ns);
  return Finding{.id = "cpu-limited",
                 .about = About::machine,
                 .severity = by_effect_on_host(effect, r),
                 .message = fmt::format("the cgroup's CPU quota stopped the process for {} of the measured window",
                                        format_percent(effect)),
                 .advice = "Use fewer --threads, or raise the quota.",
                 .evidence = {{"effect", effect}}};
}

}  // namespace strobe
