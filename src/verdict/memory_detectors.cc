// SPDX-License-Identifier: Apache-2.0
// Memory that grows from request to request, and what of this machine's memory would hurt.
#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

std::optional<std::uint64_t> bytes_fact(const Scalars& facts, std::string_view key) {
  const auto bytes = fact<std::int64_t>(facts, key);
  return bytes && *bytes >= 0 ? std::optional(static_cast<std::uint64_t>(*bytes)) : std::nullopt;
}

std::string bytes_text(double bytes) {
  return format_bytes({static_cast<std::uint64_t>(bytes)});
}

}  // namespace

// A leak, or a cache without a limit. The peak is then that of so many requests, and none of a longer run.
std::optional<Finding> memory_grows(const Record& r) {
  const Metric* peak = r.find(metric::memory);
  if (!peak || r.memory.places.empty() || !r.memory.places.front().growth) return {};
  const MemoryGrowth& g = *r.memory.places.front().growth;
  if (g.outcome != growth_word::grows) return {};
  const double grew = g.per_request.value * static_cast<double>(g.requests);
  const double effect = peak->estimate.value > 0 ? grew / peak->estimate.value : 0;
  return Finding{.id = "memory-grows",
                 .severity = by_effect(effect, r, metric::memory),
                 .message = fmt::format("memory grows by {} with each request, {} in {}: the peak is that of so many",
                                        bytes_text(g.per_request.value), bytes_text(grew),
                                        counted(g.requests, "request", "requests")),
                 .advice =
                     "Look for what is kept of a request: results in a list, a cache without a limit. More "
                     "--requests show whether it ends.",
                 .evidence = {{"bytes_per_request", g.per_request.value}, {"effect", effect}},
                 .metric = metric::memory};
}

// Below this it is what nobody has asked for in days.
std::optional<Finding> swapped_out(const Record& r) {
  constexpr std::uint64_t kWorthSaying = std::uint64_t{64} << 20;
  const auto used = bytes_fact(r.host, "swap_used_bytes");
  if (!used || *used < kWorthSaying) return {};
  return Finding{
      .id = "swapped-out",
      .about = About::machine,
      .message = fmt::format("{} of memory are swapped out: a request that needs a page of it waits for a disk, and "
                             "resident memory reads too small",
                             format_bytes({*used})),
      .advice = "Free memory before you measure. Where it happens meanwhile, a result has `page-faults`.",
      .evidence = {{"bytes", static_cast<double>(*used)}}};
}

// The usual size in a container is 64 MB; where nobody has limited it, it is half of the memory.
std::optional<Finding> small_shared_memory(const Record& r) {
  constexpr std::uint64_t kEnough = std::uint64_t{1} << 30;
  const auto bytes = bytes_fact(r.host, "shared_memory_bytes");
  if (!bytes || *bytes >= kEnough) return {};
  return Finding{.id = "small-shared-memory",
                 .about = About::machine,
                 .message = fmt::format("/dev/shm has room for {}: processes that hand tensors to each other there "
                                        "(data loaders, collectives between GPUs) fail when it is full",
                                        format_bytes({*bytes})),
                 .advice = "Give the container more: docker run --shm-size=8g, or --ipc=host.",
                 .evidence = {{"bytes", static_cast<double>(*bytes)}}};
}

// What they cost or win depends on the allocator and on what a model touches: nothing to compute here.
std::optional<Finding> huge_pages(const Record& r) {
  const auto word = fact<std::string>(r.host, "huge_pages");
  if (!word || *word == "madvise") return {};
  const bool always = *word == "always";
  return Finding{
      .id = "huge-pages",
      .about = About::machine,
      .message = always
                     ? "every process gets huge pages (always): a byte that is touched makes 2 MiB resident, so the "
                       "same model takes more memory here than elsewhere, and the kernel may stop a request to make "
                       "room for one"
                     : "no process gets huge pages (never): weights of gigabytes on the CPU take a page table's entry "
                       "for every 4 KiB, and looking these up takes time",
      .advice = "Let who asks have them: echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled."};
}

}  // namespace strobe
