// SPDX-License-Identifier: Apache-2.0
#include "host/sampler.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <new>
#include <optional>
#include <sstream>
#include <sys/resource.h>

#include "base/parse.h"
#include "host/affinity.h"
#include "host/facts.h"

namespace strobe {
namespace {

nanoseconds now() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

CpuTimes read_cpu_times() {
  std::ifstream in("/proc/stat");
  std::string line;
  std::getline(in, line);
  return parse_cpu_times(line);
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// How often the cgroup's CPU quota stopped this process.
std::optional<std::uint64_t> read_throttled() {
  std::ifstream in(cgroup_folder() + "/cpu.stat");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("nr_throttled ")) return std::strtoull(line.c_str() + 13, nullptr, 10);
  }
  return std::nullopt;
}

double read_mhz() {
  std::ifstream in("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq");
  double khz = 0;
  return in >> khz ? khz / 1000 : std::numeric_limits<double>::quiet_NaN();
}

// A column that is mostly unknown is no column; a sample that lacks a value of the others is no sample.
void keep_what_is_known(Telemetry& t) {
  const auto is_known = [](double x) { return !std::isnan(x); };
  std::erase_if(t.columns,
                [&](const auto& c) { return 2 * std::ranges::count_if(c.second, is_known) < std::ssize(c.second); });
  std::vector<bool> whole(t.at_seconds.size(), true);
  for (const auto& [name, column] : t.columns) {
    for (std::size_t i = 0; i < column.size(); ++i) whole[i] = whole[i] && is_known(column[i]);
  }
  const auto keep_whole = [&](std::vector<double>& column) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (whole[i]) column[kept++] = column[i];
    }
    column.resize(kept);
  };
  keep_whole(t.at_seconds);
  for (auto& [name, column] : t.columns) keep_whole(column);
}

}  // namespace

// "cpu  user nice system idle iowait irq softirq steal …"
CpuTimes parse_cpu_times(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::string label;
  in >> label;
  CpuTimes t;
  std::uint64_t x = 0;
  for (int i = 0; i < 8 && in >> x; ++i) {
    t.total += x;
    if (i == 7)
      t.steal = x;
    else if (i != 3 && i != 4)
      t.busy += x;
  }
  return t;
}

HostSampler::HostSampler(std::optional<TelemetrySource> more, nanoseconds interval)
    : more_(std::move(more)),
      interval_(interval),
      begun_(now()),
      first_(read_cpu_times()),
      last_(first_),
      throttled_(read_throttled()),
      counts_(counts()),
      thread_([this] { run(); }) {}

HostSampler::~HostSampler() {
  if (thread_.joinable()) join();
}

void HostSampler::join() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

// Without memory there are no more samples; that must not end a process which may be out of it on purpose.
void HostSampler::run() {
  std::unique_lock lock(mutex_);
  try {
    while (!wake_.wait_for(lock, interval_, [&] { return done_; })) take();
  } catch (const std::bad_alloc&) {
    telemetry_.at_seconds.clear();
    telemetry_.columns.clear();
    ended_ = true;
  }
}

// Under the lock the thread is alive, unless it has said otherwise.
void HostSampler::keep_on(const std::vector<int>& cpus) {
  const std::lock_guard lock(mutex_);
  if (!done_ && !ended_) strobe::keep_on(thread_, cpus);
}

void HostSampler::take() {
  const CpuTimes t = read_cpu_times();
  const std::uint64_t total = t.total - last_.total;
  if (total == 0) return;
  telemetry_.at_seconds.push_back(to_seconds(now() - begun_));
  telemetry_.columns["busy"].push_back(share(t.busy - last_.busy, total));
  telemetry_.columns["steal"].push_back(share(t.steal - last_.steal, total));
  telemetry_.columns["mhz"].push_back(read_mhz());
  last_ = t;
  if (!more_) return;
  std::vector<double> row(more_->columns.size(), 0);
  more_->read(row);
  for (std::size_t i = 0; i < row.size(); ++i) telemetry_.columns[more_->columns[i]].push_back(row[i]);
}

std::vector<double> HostSampler::counts() const {
  std::vector<double> row(more_ && more_->count ? more_->shares.size() : 0);
  if (!row.empty()) more_->count(row);
  return row;
}

void HostSampler::add_shares() {
  const std::vector<double> end = counts();
  const double elapsed = to_double(now() - begun_);
  for (std::size_t i = 0; i < end.size(); ++i) {
    const double grown = end[i] - counts_[i];  // a counter that was unknown once is unknown
    if (grown >= 0 && elapsed > 0) telemetry_.facts[more_->shares[i]] = std::min(1.0, grown / elapsed);
  }
}

Telemetry HostSampler::stop() {
  join();
  keep_what_is_known(telemetry_);
  const CpuTimes end = read_cpu_times();
  telemetry_.facts["steal_share"] = share(end.steal - first_.steal, end.total - first_.total);
  telemetry_.facts["busy_share"] = share(end.busy - first_.busy, end.total - first_.total);
  if (const auto t = read_throttled(); t && throttled_)
    telemetry_.facts["throttled"] = static_cast<std::int64_t>(*t - *throttled_);
  add_shares();
  if (more_ && more_->tell) more_->tell(telemetry_.facts);
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) == 0)
    telemetry_.facts["involuntary_switches"] = static_cast<std::int64_t>(usage.ru_nivcsw);
  return std::move(telemetry_);
}

}  // namespace strobe
