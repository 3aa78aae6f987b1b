// SPDX-License-Identifier: Apache-2.0
#include "measure/energy_edges.h"

#include <algorithm>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "host/affinity.h"

namespace strobe {
namespace {

constexpr nanoseconds kBetweenReadings = 100us;  // of counters that are quickly read
constexpr nanoseconds kCounterPatience = 5s;     // a counter that does not step for this long counts nothing
constexpr nanoseconds kReaderHearsStop = 50ms;

bool sleep_unless(Clock& clock, nanoseconds length, const std::function<bool()>& stop) {
  const nanoseconds end = clock.now() + length;
  for (nanoseconds now = clock.now(); now < end; now = clock.now()) {
    if (stop()) return false;
    clock.sleep_until(std::min(end, now + kReaderHearsStop));
  }
  return !stop();
}

}  // namespace

std::optional<EnergyEdge> next_edge(EnergyCounter& counter, Clock& clock, const std::function<bool()>& stop) {
  const nanoseconds begin = clock.now();
  nanoseconds before = begin;  // the beginning of the last reading that did not show the step
  const double first = counter.joules();
  for (;;) {
    if (stop()) return std::nullopt;
    clock.sleep_until(before + kBetweenReadings);
    const nanoseconds now = clock.now();
    const double joules = counter.joules();
    const nanoseconds after = clock.now();
    if (joules != first) return EnergyEdge{(before + after) / 2, (after - before) / 2, joules};
    if (after - begin > kCounterPatience)
      throw Error(ErrorCode::failed, "cannot measure energy",
                  fmt::format("{}'s counter did not step in {}", counter.source(), format_time(kCounterPatience)));
    before = now;
  }
}

std::optional<EnergyStretch> read_stretch(EnergyCounter& counter, Clock& clock, nanoseconds lead, nanoseconds length,
                                          const std::function<bool()>& stop) {
  if (!sleep_unless(clock, lead, stop)) return std::nullopt;
  const auto from = next_edge(counter, clock, stop);
  if (!from || !sleep_unless(clock, from->at + length - clock.now(), stop)) return std::nullopt;
  const auto to = next_edge(counter, clock, stop);
  return to ? std::optional(EnergyStretch{*from, *to}) : std::nullopt;
}

StretchReader::StretchReader(EnergyCounter& counter, Clock& clock, std::unique_ptr<HostThread> host, nanoseconds lead,
                             nanoseconds length, const std::vector<int>& cpus)
    : counter_(counter), clock_(clock), host_(std::move(host)), thread_([this, lead, length] { read(lead, length); }) {
  if (!cpus.empty()) keep_on(thread_, cpus);
}

StretchReader::~StretchReader() {
  finish();
}

void StretchReader::read(nanoseconds lead, nanoseconds length) {
  try {
    host_->begin();
    stretch_ = read_stretch(counter_, clock_, lead, length, [this] { return cancelled_.load(); });
  } catch (...) {
    failure_ = std::current_exception();
  }
  done_.store(true, std::memory_order_release);  // before others may go on: a simulated host sees it at this time
  host_.reset();
}

// On a simulated device the reader gets on only while this host waits.
void StretchReader::finish() {
  if (!thread_.joinable()) return;
  cancelled_ = true;
  while (!done()) clock_.sleep(1ms);
  thread_.join();
}

std::optional<EnergyStretch> StretchReader::take() {
  finish();
  if (failure_) std::rethrow_exception(failure_);
  return stretch_;
}

}  // namespace strobe
