#include "record/names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <strobe/error.h>

namespace strobe {
namespace {

template <class Enum>
struct Word {
  Enum value;
  std::string_view word;
};

template <class Enum>
Word(Enum, std::string_view) -> Word<Enum>;  // older clang does not deduce aggregates

constexpr std::array kAbout{Word{About::measurement, "measurement"}, Word{About::workload, "workload"},
                            Word{About::machine, "machine"}};
constexpr std::array kSeverity{Word{Severity::note, "note"}, Word{Severity::warning, "warning"},
                               Word{Severity::invalid, "invalid"}};
constexpr std::array kVerdict{Word{Verdict::trusted, "trusted"}, Word{Verdict::caution, "caution"},
                              Word{Verdict::invalid, "invalid"}};
constexpr std::array kStatus{Word{Status::converged, "converged"}, Word{Status::not_converged, "not-converged"},
                             Word{Status::fixed, "fixed"}, Word{Status::interrupted, "interrupted"}};

template <class Enum, std::size_t N>
std::string_view word_of(const std::array<Word<Enum>, N>& words, Enum value) {
  return std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.value == value; })->word;
}

template <class Enum, std::size_t N>
Enum value_of(const std::array<Word<Enum>, N>& words, std::string_view word) {
  for (const auto& w : words) {
    if (w.word == word) return w.value;
  }
  throw Error(ErrorCode::bad_input, "cannot read the record",
              fmt::format("'{}' is not a word it may use here", word.substr(0, 40)));
}

constexpr std::array kMetrics{
    MetricWord{"latency", "latency",
               "From handing over one request until its result is there, one request at a time, the device idle "
               "before: what a caller waits for."},
    MetricWord{"submit", "submit", "Host time spent handing the work of those same requests over."},
    MetricWord{"span", "span",
               "From a mark before the request to a mark after it, on an idle device: device work plus every gap in "
               "which the device waited for the host."},
    MetricWord{"device_time", "device time",
               "The same two marks when the whole request was queued before the device might start: device work and "
               "the device's own pauses between kernels."},
    MetricWord{"replay_time", "replay time",
               "Device time of a captured graph, replayed from a full queue: a different program from the eager one."},
    MetricWord{"replay_latency", "replay lat.",
               "Latency when the captured graph is replayed instead: what its caller waits for."},
    MetricWord{"replay_throughput", "replay rate", "Items per second when the captured graph is replayed instead."},
    MetricWord{"period", "period", "Time per request with several requests outstanding and no other wait."},
    MetricWord{"throughput", "throughput", "Items per second: the batch divided by the period."},
    MetricWord{"latency_loaded", "loaded",
               "From handing over a request until its own end mark, with several requests outstanding."},
    MetricWord{"copy_in", "copy in", "Transfer of the real inputs from pinned memory of the host to the device."},
    MetricWord{"copy_in_pageable", "pageable in",
               "The same from memory that is not pinned: the driver copies twice and the host waits."},
    MetricWord{"copy_out", "copy out", "Transfer of the real outputs from the device to pinned memory of the host."},
    MetricWord{"copy_out_pageable", "pageable out", "The same to memory that is not pinned."},
    MetricWord{"end_to_end", "end to end", "Latency with both copies."},
    MetricWord{"union_time", "union",
               "Time in which the host hands over or the device works, on one time line; what the latency has beyond "
               "it is waiting."},
    MetricWord{"waiting", "waiting", "From the moment a stage is handed over until the device begins with it."},
    MetricWord{"reading", "reading", "What this method reports."},
};

}  // namespace

std::string_view name(About x) {
  return word_of(kAbout, x);
}
std::string_view name(Severity x) {
  return word_of(kSeverity, x);
}
std::string_view name(Verdict x) {
  return word_of(kVerdict, x);
}
std::string_view name(Status x) {
  return word_of(kStatus, x);
}

template <>
About parse_name<About>(std::string_view w) {
  return value_of(kAbout, w);
}
template <>
Severity parse_name<Severity>(std::string_view w) {
  return value_of(kSeverity, w);
}
template <>
Verdict parse_name<Verdict>(std::string_view w) {
  return value_of(kVerdict, w);
}
template <>
Status parse_name<Status>(std::string_view w) {
  return value_of(kStatus, w);
}

const MetricWord* metric_word(std::string_view name) {
  const auto it = std::find_if(kMetrics.begin(), kMetrics.end(), [&](const MetricWord& m) { return m.name == name; });
  return it == kMetrics.end() ? nullptr : &*it;
}

std::size_t metric_order(std::string_view name) {
  const auto it = std::find_if(kMetrics.begin(), kMetrics.end(), [&](const MetricWord& m) { return m.name == name; });
  return static_cast<std::size_t>(it - kMetrics.begin());
}

std::string noise_floor_name(const std::string& candidate) {
  return candidate + " again";
}

bool is_noise_floor(const Comparison& c) {
  return c.b == noise_floor_name(c.a);
}

}  // namespace strobe
