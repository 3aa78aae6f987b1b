// SPDX-License-Identifier: Apache-2.0
#include "measure/method_readings.h"

#include <algorithm>

#include "measure/full_queue.h"

namespace strobe {
namespace {

double reading(const Sample& s, const Method& m) {
  return to_double(m.clock == Method::Clock::device ? s.device : s.done - s.begin) / s.requests;
}

// With a full queue it is the distance of completions that counts, not the time each request spent in it.
std::optional<double> period_of(const Samples& samples, const FullWindow& full) {
  if (full.requests > 0) return to_double(full.length) / static_cast<double>(full.requests);
  const auto first =
      std::find_if(samples.begin(), samples.end(), [](const Sample& s) { return s.state == SampleState::kept; });
  const auto gaps = samples.end() - first - 1;
  if (gaps <= 0) return {};
  return to_double(samples.back().done - first->done) / static_cast<double>(gaps);
}

bool is_period(const Method& m) {
  return m.queue == Method::Queue::full && m.scope == Method::Scope::request && m.clock == Method::Clock::host;
}

}  // namespace

std::vector<double> readings_of(const Samples& samples, const Method& m, const FullWindow& full) {
  std::vector<double> readings;
  if (is_period(m)) {
    if (const auto period = period_of(samples, full)) readings.push_back(*period);
    return readings;
  }
  for (const Sample& s : samples) {
    if (s.state == SampleState::kept) readings.push_back(reading(s, m));
  }
  return readings;
}

double cold_reading(const Sample& s, const Method& m) {
  if (m.clock == Method::Clock::device) return to_double(s.device);
  return to_double((m.wait == Method::Wait::none ? s.submitted : s.done) - s.begin);
}

void put_cold_first(const Samples& cold, std::size_t warmup, const Method& m, std::size_t block,
                    std::vector<double>& readings) {
  if (readings.empty() || cold.empty()) return;
  if (m.once) {
    readings = {cold_reading(cold.front(), m)};
    return;
  }
  const bool in_blocks = m.scope == Method::Scope::block;
  const std::size_t n = std::min({warmup, cold.size(), in_blocks ? block : readings.size()});
  if (!in_blocks) {
    for (std::size_t i = 0; i < n; ++i) readings[i] = cold_reading(cold[i], m);
    return;
  }
  double first = static_cast<double>(block - n) * readings.front();
  for (std::size_t i = 0; i < n; ++i) first += cold_reading(cold[i], m);
  readings.front() = first / static_cast<double>(block);
}

std::optional<FullQueue> queue_filled_by(const Samples& samples, const Method& m) {
  const bool never_waits = m.clock == Method::Clock::host && m.wait == Method::Wait::none &&
                           m.scope == Method::Scope::request && m.queue == Method::Queue::drained;
  if (!never_waits) return {};
  std::vector<double> ns;
  for (const Sample& s : samples) ns.push_back(to_double(s.submitted - s.begin));
  return find_full_queue(ns);
}

std::optional<FullQueue> usual_queue(std::vector<FullQueue> seen, std::size_t segments) {
  if (seen.empty() || 2 * seen.size() <= segments) return {};
  const auto middle = seen.begin() + static_cast<std::ptrdiff_t>(seen.size() / 2);
  std::nth_element(seen.begin(), middle, seen.end(),
                   [](const FullQueue& a, const FullQueue& b) { return a.after < b.after; });
  return *middle;
}

}  // namespace strobe
