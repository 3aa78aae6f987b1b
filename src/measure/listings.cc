// SPDX-License-Identifier: Apache-2.0
#include "measure/listings.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "record/metric_names.h"
#include "record/reported.h"

namespace strobe {
namespace {

using Wait = Method::Wait;
using Read = Method::Read;
using Scope = Method::Scope;

double in_ms(double ns) {
  return ns / 1e6;
}

double printed_mean(const Metric& m) {
  return m.mean ? m.mean->value : m.estimate.value;
}

double items_per_second(const Metric& m, std::size_t items) {
  return 1e9 * static_cast<double>(items) / printed_mean(m);
}

std::string mean_line(const Metric& m, std::size_t) {
  return fmt::format("{:.3f} ms", in_ms(printed_mean(m)));
}

std::string repetitions_line(const Metric& m, std::size_t items) {
  return fmt::format("mean {:.3f} ms, std {:.3f} ms, {:.1f} FPS", in_ms(printed_mean(m)), in_ms(m.stddev),
                     items_per_second(m, items));
}

std::string rate_line(const Metric& m, std::size_t items) {
  return fmt::format("{:.1f} images/s", items_per_second(m, items));
}

std::string do_bench_line(const Metric& m, std::size_t) {
  return fmt::format("{:.5f} ms", in_ms(printed_mean(m)));
}

std::string timer_line(const Metric& m, std::size_t) {
  return fmt::format("{:.2f} us, 1 measurement, 100 runs", printed_mean(m) / 1e3);
}

std::string timeit_line(const Metric& m, std::size_t) {
  return fmt::format("10 loops, best of {}: {:.3g} usec per loop", m.n, m.min / 1e3);
}

std::string trtexec_line(const Metric& m, std::size_t) {
  return fmt::format("GPU Compute Time: min = {:.5g} ms, max = {:.5g} ms, mean = {:.5g} ms, median = {:.5g} ms",
                     in_ms(m.min), in_ms(m.max), in_ms(printed_mean(m)), in_ms(m.estimate.value));
}

constexpr Method each_by_host(Wait wait, bool warmup) {
  return {.clock = Method::Clock::host, .wait = wait, .warmup = warmup};
}
constexpr Method each_by_device(Wait wait, bool warmup) {
  return {.clock = Method::Clock::device, .wait = wait, .read = Read::request, .warmup = warmup};
}
constexpr Method block_of(Method::Clock clock, Wait wait, Method::Queue queue = Method::Queue::drained) {
  return {.clock = clock, .wait = wait, .scope = Scope::block, .queue = queue};
}

constexpr Script kHundred{.warmup = 10, .samples = 100}, kColdHundred{.warmup = 0, .samples = 100};
constexpr Script kBlock10{.warmup = 10, .per_sample = 10}, kBlock100{.warmup = 10, .per_sample = 100};

constexpr std::string_view kSubmission = "stops the clock when the work is submitted, not when it is done",
                           kWaited = "what a caller waits for, launches included",
                           kColdToo = ", and counts the first call of the process",
                           kGaps = "counts every gap in which the device waits for the host",
                           kBlockMeans = "the throughput of one stream, not the latency of one request";

// Of one network, the rows that differ in warm-up, wait and clock come first.
constexpr std::array kListings{
    Listing{"clock", "a host clock around each call", each_by_host(Wait::none, true), kHundred, statistic::mean,
            mean_line, metric::latency, kSubmission},
    Listing{"clock-cold", "the same without warm-up", each_by_host(Wait::none, false), kColdHundred, statistic::mean,
            mean_line, metric::latency, "stops the clock when the work is submitted, and counts the first call"},
    Listing{"clock-sync", "a host clock, and a wait for the device before it is stopped",
            each_by_host(Wait::device, true), kHundred, statistic::mean, mean_line, metric::latency, kWaited},
    Listing{"clock-sync-cold", "the same without warm-up", each_by_host(Wait::device, false), kColdHundred,
            statistic::mean, mean_line, metric::latency, "what a caller waits for, but it counts the first call"},
    Listing{"events", "events around each call, read at once", each_by_device(Wait::none, true), kHundred,
            statistic::mean, mean_line, metric::device_time, ""},
    Listing{"events-cold", "the same without warm-up", each_by_device(Wait::none, false), kColdHundred, statistic::mean,
            mean_line, metric::device_time, ""},
    Listing{"events-sync", "events around each call, and a wait for the device", each_by_device(Wait::device, true),
            kHundred, statistic::mean, mean_line, metric::device_time, kGaps},
    Listing{"events-sync-cold", "the same without warm-up", each_by_device(Wait::device, false), kColdHundred,
            statistic::mean, mean_line, metric::device_time,
            "counts every gap in which the device waits for the host, and the first call"},
    Listing{"events-300",
            "events around each of 300 repetitions: mean, standard deviation, FPS",
            each_by_device(Wait::device, true),
            {.warmup = 10, .samples = 300},
            statistic::mean,
            repetitions_line,
            metric::device_time,
            kGaps},
    Listing{"throughput-100", "events around each of 100 batches: batches x batch / time",
            each_by_device(Wait::device, true), kHundred, statistic::mean, rate_line, metric::period,
            "waits after each batch, so that nothing overlaps: the rate of one caller, not the throughput"},
    Listing{"block-10-host", "a host clock around 10 calls and one wait", block_of(Method::Clock::host, Wait::device),
            kBlock10, statistic::mean, mean_line, metric::period, kBlockMeans},
    Listing{"block-100-host", "a host clock around 100 calls and one wait", block_of(Method::Clock::host, Wait::device),
            kBlock100, statistic::mean, mean_line, metric::period, kBlockMeans},
    Listing{"block-10-events", "events around 10 calls", block_of(Method::Clock::device, Wait::event), kBlock10,
            statistic::mean, mean_line, metric::period, kBlockMeans},
    Listing{"block-100-events", "events around 100 calls", block_of(Method::Clock::device, Wait::event), kBlock100,
            statistic::mean, mean_line, metric::period, kBlockMeans},
    Listing{"block-100-busy", "events around 100 calls that begin while the warm-up still runs",
            block_of(Method::Clock::device, Wait::none, Method::Queue::full), kBlock100, statistic::mean, mean_line,
            metric::period, "no gap before the first kernel; the throughput of one stream"},
    Listing{"timeit",
            "Python's timeit: the best of 5 times 10 calls, no wait",
            block_of(Method::Clock::host, Wait::none),
            {.warmup = 10, .samples = 5, .per_sample = 10},
            statistic::min,
            timeit_line,
            metric::latency,
            kSubmission},
    Listing{"torch-benchmark",
            "torch.utils.benchmark: Timer(...).timeit(100)",
            block_of(Method::Clock::host, Wait::device),
            {.warmup = 2, .per_sample = 100},
            statistic::mean,
            timer_line,
            metric::period,
            kBlockMeans},
    Listing{"do_bench",
            "triton.testing.do_bench(fn)",
            {.clock = Method::Clock::device, .wait = Wait::none, .cold = true},
            {.warmup = 2, .warmup_time = 25ms, .time = 100ms},
            statistic::mean,
            do_bench_line,
            metric::device_time,
            "a flushed cache; right while the flush takes longer than submitting, then it counts the host's gaps"},
    Listing{"trtexec",
            "trtexec --noCudaGraph: GPU Compute Time, one request ahead",
            {.clock = Method::Clock::device, .wait = Wait::event, .queue = Method::Queue::full},
            {.warmup = 2, .samples = 10, .warmup_time = 200ms, .time = 3s, .in_flight = 2},
            statistic::mean,
            trtexec_line,
            metric::device_time,
            "from a mark before the host hands the work over: right where the queue stays full"},
    Listing{"enqueueV3", "std::chrono around context->enqueueV3(stream)", each_by_host(Wait::none, true), kHundred,
            statistic::mean, mean_line, metric::latency, kSubmission},
};

}  // namespace

std::span<const Listing> listings() {
  return kListings;
}

std::vector<std::string> listing_names() {
  std::vector<std::string> names;
  for (const Listing& l : kListings) names.emplace_back(l.name);
  return names;
}

const Listing& find_listing(std::string_view name) {
  const auto it = std::find_if(kListings.begin(), kListings.end(), [&](const Listing& l) { return l.name == name; });
  if (it != kListings.end()) return *it;
  const std::vector<std::string> names = listing_names();
  throw Error(ErrorCode::usage, fmt::format("there is no listing '{}'", name.substr(0, 40)), {},
              fmt::format("The listings are {}.{}", fmt::join(names, ", "), did_you_mean(name, names)));
}

}  // namespace strobe
