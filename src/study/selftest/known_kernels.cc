// SPDX-License-Identifier: Apache-2.0
#include "study/selftest/known_kernels.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "stats/middle.h"

namespace strobe {
namespace {

constexpr std::array kKernelWays{
    NamedWay{Way::naive, "naive", "the clock stops when the kernel is submitted", false},
    NamedWay{Way::sync, "sync", "host clock, device-wide wait: launch and wake-up included", false},
    NamedWay{Way::event, "event", "events on an idle stream: the launch is included", false},
    NamedWay{Way::event_queued, "event-queued", "ten kernels queued, each between events, read at the end", false},
    NamedWay{Way::block_host, "block-host", "host clock around ten kernels and one wait, per kernel", false},
    NamedWay{Way::block, "block", "one pair of events around ten kernels, per kernel", false},
    NamedWay{Way::gated, "gated", "queued whole behind a waiting stream", true},
    NamedWay{Way::gated_spin, "gated-spin", "queued whole behind a spinning kernel", true},
    NamedWay{Way::graph, "graph", "a captured graph behind the gate", true},
    NamedWay{Way::graph_event, "graph-event", "a captured graph on an idle stream: its launch is included", false},
};

constexpr int kBlockKernels = 10;  // kernels
constexpr bool is_block(Way way) {
  return way == Way::event_queued || way == Way::block_host || way == Way::block;
}
// The GPU looks for the end of a kernel about every 0.3 µs. At one length a short kernel would always end at the same
// moment between two looks and read up to that much more or less than the others: so each length is varied, by steps of
// the GPU's timer, over three such periods.
constexpr std::size_t kPhases = 32;
constexpr std::size_t kWarmup = 3;
constexpr std::size_t repeats(Way way) {
  return is_block(way) ? kPhases : 3 * kPhases;
}
constexpr nanoseconds varied(nanoseconds length, std::size_t phase) {
  return length - 512ns + 32ns * static_cast<std::int64_t>(phase);
}

// The mean of the middle half: both clocks tick in steps of 32 ns, and a median would only choose between steps.
double middle_mean(std::vector<double> xs) {
  std::sort(xs.begin(), xs.end());
  const auto begin = xs.begin() + static_cast<std::ptrdiff_t>(xs.size() / 4);
  const auto end = xs.end() - static_cast<std::ptrdiff_t>(xs.size() / 4);
  return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
}

}  // namespace

std::span<const NamedWay> ways() {
  return kKernelWays;
}

OffsetRange offset_range(std::span<const Reading> readings) {
  if (readings.empty()) return {};
  OffsetRange range{readings.front().offset, readings.front().offset};
  for (const Reading& r : readings) range = {std::min(range.low, r.offset), std::max(range.high, r.offset)};
  return range;
}

double allowed_offset_width(const Device& device, const Calibration& calibration) {
  const auto step = calibration.find("timer_step_ns");
  return 2 * std::max(to_double(device.tick()), step == calibration.end() ? 0.0 : step->second) + 1;
}

KnownKernels::KnownKernels(Device& device)
    : device_(device), kernel_(device.true_kernel()), stream_(kernel_->stream()) {
  stream_.reserve(2 * kBlockKernels);
}

std::vector<Reading> KnownKernels::medians(Way way, const std::function<bool()>& stop) {
  std::array<std::vector<double>, kLengths.size()> reads, truths;
  std::array<std::vector<Launch>, kLengths.size()> graphs;
  if (way == Way::graph || way == Way::graph_event) {
    for (std::size_t k = 0; k < kLengths.size(); ++k) graphs[k] = captured(kLengths[k]);
  }
  for (std::size_t i = 0; i < kWarmup + repeats(way) && !(stop && stop()); ++i) {
    const std::size_t phase = i % kPhases;
    for (std::size_t k = 0; k < kLengths.size(); ++k) {
      stream_.synchronize();
      const double read = once(way, varied(kLengths[k], phase), graphs[k].empty() ? nullptr : &graphs[k][phase]);
      stream_.synchronize();
      if (i >= kWarmup) {
        reads[k].push_back(read);
        truths[k].push_back(kernel_->truth());
      }
    }
  }
  std::vector<Reading> result;
  for (std::size_t k = 0; k < kLengths.size() && !reads[k].empty(); ++k) {
    std::vector<double> offsets = reads[k];
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] -= truths[k][i];
    result.push_back({stats::middle_of(std::move(reads[k])), stats::middle_of(std::move(truths[k])),
                      middle_mean(std::move(offsets))});
  }
  return result;
}

std::vector<Reading> KnownKernels::settled(Way way, double allowed, const std::function<bool()>& stop) {
  constexpr std::size_t kTakes = 3;
  std::vector<std::vector<Reading>> takes;
  while (takes.size() < kTakes) {
    takes.push_back(medians(way, stop));
    if (takes.back().size() < kLengths.size() || offset_range(takes.back()).width() <= allowed) return takes.back();
  }
  std::vector<Reading> middle;
  for (std::size_t k = 0; k < kLengths.size(); ++k) {
    std::vector<Reading> same_length;
    for (const auto& take : takes) same_length.push_back(take[k]);
    std::sort(same_length.begin(), same_length.end(),
              [](const Reading& a, const Reading& b) { return a.offset < b.offset; });
    middle.push_back(same_length[kTakes / 2]);
  }
  return middle;
}

double KnownKernels::host_cost(Way way) {
  std::vector<double> costs;
  for (int i = 0; i < 401; ++i) {
    stream_.synchronize();
    const nanoseconds begin = device_.clock().now();
    std::optional<Gate> gate;
    if (way == Way::gated) gate.emplace(device_.hold(stream_, {}));
    if (way != Way::sync) stream_.mark();
    kernel_->launch_empty();
    if (way != Way::sync) stream_.mark();
    if (gate) gate->open();
    costs.push_back(to_double(device_.clock().now() - begin));
  }
  return stats::middle_of(std::move(costs));
}

double KnownKernels::once(Way way, nanoseconds length, const Launch* graph) {
  if (way == Way::naive || way == Way::sync || way == Way::block_host) return by_host_clock(way, length);
  if (way == Way::event_queued) return queued(length);
  const int kernels = way == Way::block ? kBlockKernels : 1;
  std::optional<Gate> gate;
  if (way == Way::gated || way == Way::gated_spin || way == Way::graph)
    gate.emplace(device_.hold(
        stream_, {.kind = way == Way::gated_spin ? GateOptions::Kind::spin : GateOptions::Kind::automatic}));
  const Mark a = stream_.mark();
  for (int i = 0; i < kernels; ++i) graph ? (*graph)() : kernel_->launch(length);
  const Mark b = stream_.mark();
  if (gate) gate->open();
  stream_.wait(b);
  return to_double(stream_.between(a, b)) / kernels;
}

double KnownKernels::by_host_clock(Way way, nanoseconds length) {
  const int kernels = way == Way::block_host ? kBlockKernels : 1;
  const nanoseconds begin = device_.clock().now();
  for (int i = 0; i < kernels; ++i) kernel_->launch(length);
  if (way != Way::naive) device_.synchronize();
  return to_double(device_.clock().now() - begin) / kernels;
}

// The middle one: the first kernel of all finds an idle stream, and its reading includes its launch.
double KnownKernels::queued(nanoseconds length) {
  std::array<std::pair<Mark, Mark>, kBlockKernels> marks;
  for (auto& [a, b] : marks) {
    a = stream_.mark();
    kernel_->launch(length);
    b = stream_.mark();
  }
  stream_.wait(marks.back().second);
  std::vector<double> readings;
  for (const auto& [a, b] : marks) readings.push_back(to_double(stream_.between(a, b)));
  return stats::middle_of(std::move(readings));
}

// One for each phase.
std::vector<KnownKernels::Launch> KnownKernels::captured(nanoseconds length) {
  std::vector<Launch> graphs;
  for (std::size_t phase = 0; phase < kPhases; ++phase) graphs.push_back(kernel_->captured(varied(length, phase)));
  return graphs;
}

}  // namespace strobe
