#include "host/sampler.h"

#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <sys/resource.h>

#include "base/parse.h"
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

std::optional<double> read_mhz() {
  std::ifstream in("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq");
  double khz = 0;
  if (!(in >> khz)) return std::nullopt;
  return khz / 1000;
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
      thread_([this] { run(); }) {}

HostSampler::~HostSampler() {
  if (thread_.joinable()) stop();
}

void HostSampler::run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, interval_, [&] { return done_; })) take();
}

void HostSampler::take() {
  const CpuTimes t = read_cpu_times();
  const std::uint64_t total = t.total - last_.total;
  if (total == 0) return;
  telemetry_.at_seconds.push_back(to_seconds(now() - begun_));
  telemetry_.columns["busy"].push_back(share(t.busy - last_.busy, total));
  telemetry_.columns["steal"].push_back(share(t.steal - last_.steal, total));
  if (const auto mhz = read_mhz()) telemetry_.columns["mhz"].push_back(*mhz);
  last_ = t;
  if (!more_) return;
  std::vector<double> row(more_->columns.size(), 0);
  more_->read(row);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!std::isnan(row[i])) telemetry_.columns[more_->columns[i]].push_back(row[i]);
  }
}

Telemetry HostSampler::stop() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  thread_.join();
  // A column that the kernel gave only sometimes is no column.
  std::erase_if(telemetry_.columns, [&](const auto& c) { return c.second.size() != telemetry_.at_seconds.size(); });
  const CpuTimes end = read_cpu_times();
  telemetry_.facts["steal_share"] = share(end.steal - first_.steal, end.total - first_.total);
  telemetry_.facts["busy_share"] = share(end.busy - first_.busy, end.total - first_.total);
  if (const auto t = read_throttled(); t && throttled_)
    telemetry_.facts["throttled"] = static_cast<std::int64_t>(*t - *throttled_);
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) == 0)
    telemetry_.facts["involuntary_switches"] = static_cast<std::int64_t>(usage.ru_nivcsw);
  return std::move(telemetry_);
}

}  // namespace strobe
