// SPDX-License-Identifier: Apache-2.0
#include "record/trtexec_times.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "record/metric_names.h"

namespace strobe {
namespace {

using TrtexecJson = nlohmann::json;

// A duration has a key, which versions spell differently. What has none is between two stamps.
struct TrtexecColumn {
  std::string_view metric;
  std::array<const char*, 2> keys;
  std::array<const char*, 2> stamps;  // null: it needs none
  std::string_view definition;
};

constexpr std::array<const char*, 2> kNoStamps{};

constexpr std::array kTrtexecColumns{
    TrtexecColumn{metric::reading,
                  {"latencyMs", "endToEndMs"},
                  kNoStamps,
                  "Its latency: copy in, GPU compute time and copy out of a request added up, without the waiting "
                  "between them; not what a caller waits for."},
    TrtexecColumn{metric::submit,
                  {"enqMs", "enqMs"},
                  {"startEnqMs", "endEnqMs"},
                  "Its enqueue time: the host's call that hands the work over."},
    TrtexecColumn{metric::span,
                  {"computeMs", "computeMs"},
                  kNoStamps,
                  "Its GPU compute time: between two events around the work, with one request queued ahead and no "
                  "gate: where the host is slower than the device, the gaps are inside."},
    TrtexecColumn{metric::copy_in,
                  {"h2dMs", "inMs"},
                  kNoStamps,
                  "Its H2D latency: between two events around the copies of the inputs."},
    TrtexecColumn{metric::copy_out,
                  {"d2hMs", "outMs"},
                  kNoStamps,
                  "Its D2H latency: between two events around the copies of the outputs."},
};

std::optional<double> number_of(const TrtexecJson& request, const char* key) {
  if (!key || !request.is_object()) return std::nullopt;
  const auto it = request.find(key);
  return it != request.end() && it->is_number() ? std::optional(it->get<double>()) : std::nullopt;
}

std::optional<double> milliseconds_of(const TrtexecJson& request, const TrtexecColumn& c) {
  for (const char* key : c.keys) {
    if (const auto ms = number_of(request, key)) return ms;
  }
  const auto begin = number_of(request, c.stamps[0]), end = number_of(request, c.stamps[1]);
  if (!begin || !end) return std::nullopt;
  return std::round((*end - *begin) * 1e9) / 1e9;  // without the noise of the subtraction
}

// The last digit of a number that is written with six.
double digit_step(double x) {
  return x > 0 && std::isfinite(x) ? std::pow(10, std::floor(std::log10(x)) - 5) : 0;
}

bool has_six_digits(double x) {
  const double step = digit_step(x);
  return step == 0 || std::fabs(x / step - std::round(x / step)) < 1e-3;
}

// Stamps of trtexec are 32-bit floats, in milliseconds since it began: a duration is the difference of two.
double float_step(double ms) {
  constexpr float kMost = std::numeric_limits<float>::max();
  if (!(ms > 0 && ms < static_cast<double>(kMost))) return 0;
  const auto x = static_cast<float>(ms);
  return static_cast<double>(std::nextafter(x, kMost) - x);
}

// Steps grow with the stamps: what is judged is a median, so the one in the middle stands for all.
double middle_stamp(const TrtexecJson& requests, const char* key) {
  std::vector<double> stamps;
  for (const TrtexecJson& q : requests) stamps.push_back(number_of(q, key).value_or(0));
  const auto middle = stamps.begin() + static_cast<std::ptrdiff_t>(stamps.size() / 2);
  std::nth_element(stamps.begin(), middle, stamps.end());
  return *middle;
}

// A difference that trtexec made has the step of its floats; one of written stamps that of their digits, too.
double step_of(const TrtexecJson& requests, const TrtexecColumn& c) {
  const char* own = c.stamps[1];
  const double by_float = float_step(middle_stamp(requests, own ? own : "endComputeMs"));
  const bool has_key = number_of(requests.front(), c.keys[0]) || number_of(requests.front(), c.keys[1]);
  if (!own || has_key) return by_float;
  const bool short_stamps = std::all_of(requests.begin(), requests.end(), [&](const TrtexecJson& q) {
    return has_six_digits(number_of(q, c.stamps[0]).value_or(0)) && has_six_digits(number_of(q, own).value_or(0));
  });
  return short_stamps ? std::max(by_float, digit_step(middle_stamp(requests, own))) : by_float;
}

std::optional<ForeignPart> part_of(const TrtexecJson& requests, const TrtexecColumn& c) {
  ForeignPart part{.metric = std::string(c.metric), .ns = {}, .tick_ns = step_of(requests, c) * 1e6};
  for (const TrtexecJson& q : requests) {
    const auto ms = milliseconds_of(q, c);
    if (!ms) return std::nullopt;
    part.ns.push_back(*ms * 1e6);
  }
  return part;
}

// Without copies their times are zeros, but for a first request that has them.
bool is_mostly_zero(const ForeignPart& part) {
  const auto zeros = std::count(part.ns.begin(), part.ns.end(), 0.0);
  return 2 * static_cast<std::size_t>(zeros) > part.ns.size();
}

bool is_copy(const TrtexecColumn& c) {
  return c.metric == metric::copy_in || c.metric == metric::copy_out;
}

std::vector<double> begins_of(const TrtexecJson& requests) {
  std::vector<double> seconds;
  for (const TrtexecJson& q : requests) {
    for (const char* start : {"startH2dMs", "startInMs", "startEnqMs"}) {
      const auto ms = number_of(q, start);
      if (!ms) continue;
      seconds.push_back(*ms / 1e3);
      break;
    }
  }
  return seconds;
}

}  // namespace

ForeignTimes trtexec_times(const TrtexecJson& requests) {
  ForeignTimes t;
  t.tool = kTrtexec;
  t.note = "latency as trtexec has it: copies included, requests queued ahead";
  for (const TrtexecJson& q : requests) {
    const char* key = q.contains("latencyMs") ? "latencyMs" : "endToEndMs";
    t.ns.push_back(q.at(key).get<double>() * 1e6);
  }
  t.tick_ns = step_of(requests, kTrtexecColumns.front()) * 1e6;
  t.at_seconds = begins_of(requests);
  bool copies = false, no_copies = false;
  for (const TrtexecColumn& c : kTrtexecColumns) {
    if (c.metric == metric::reading) continue;
    std::optional<ForeignPart> part = part_of(requests, c);
    if (!part) continue;
    const bool none = is_copy(c) && is_mostly_zero(*part);
    if (is_copy(c)) (none ? no_copies : copies) = true;
    if (!none) t.parts.push_back(std::move(*part));
  }
  if (no_copies && !copies)
    t.note = "latency as trtexec has it: its GPU compute time, no copies, requests queued ahead";
  return t;
}

std::string_view trtexec_definition(std::string_view metric) {
  const auto it = std::find_if(kTrtexecColumns.begin(), kTrtexecColumns.end(),
                               [&](const TrtexecColumn& c) { return c.metric == metric; });
  return it == kTrtexecColumns.end() ? std::string_view{} : it->definition;
}

}  // namespace strobe
