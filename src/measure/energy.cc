// SPDX-License-Identifier: Apache-2.0
#include "measure/energy.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "base/random.h"
#include "device/device.h"
#include "host/affinity.h"
#include "measure/pauses.h"
#include "measure/request_loop.h"

namespace strobe {
namespace {

constexpr std::size_t kFewestWindows = 5, kFewestInALaunch = 3;  // of fewer, Student's t is wider than what it bounds
constexpr nanoseconds kEnergyLead = 300ms;     // under load, before a window: the counter's own filter forgets
constexpr nanoseconds kIdleSettle = 1s;        // a device goes to rest slowly
constexpr nanoseconds kStepAllowance = 200ms;  // waiting for the steps at both ends of a window
constexpr nanoseconds kRandomPhase = 10ms;     // requests longer than this may be in step with the counter
constexpr std::int64_t kFewestInAWindow = 20;
constexpr std::size_t kMostRoom = std::size_t{1} << 22;  // completions: 64 MiB

nanoseconds window_cost(const EnergyLength& l) {
  return kEnergyLead + l.window + kStepAllowance;
}
nanoseconds idle_cost(const EnergyLength& l) {
  return l.idle > 0ns ? kIdleSettle + l.idle + kStepAllowance : 0ns;
}

// How many requests were completed at a moment, the one that is under way by its part.
double completed_at(const std::vector<Completion>& all, nanoseconds t) {
  const auto next =
      std::upper_bound(all.begin(), all.end(), t, [](nanoseconds at, const Completion& c) { return at < c.done; });
  const auto whole = static_cast<double>(next - all.begin());
  if (next == all.begin() || next == all.end()) return whole;
  const nanoseconds before = std::prev(next)->done;
  return whole + to_double(t - before) / to_double(next->done - before);
}

// Where the reader of the counter may run without taking time of the thread that measures.
std::vector<int> cpus_beside() {
  const std::vector<int> all = cpus_of_this_thread_unpinned(), mine = cpus_of_this_thread();
  std::vector<int> others;
  std::set_difference(all.begin(), all.end(), mine.begin(), mine.end(), std::back_inserter(others));
  return others;
}

class EnergyPass {
 public:
  EnergyPass(Workload& workload, EnergyCounter& counter, const EnergyPlan& plan, Conductor& conductor)
      : workload_(workload),
        device_(workload.stream().device()),
        clock_(device_.clock()),
        counter_(counter),
        plan_(plan),
        conductor_(conductor),
        random_(plan.seed) {
    // Slow requests need longer windows.
    plan_.length.window = std::max(plan_.length.window, kFewestInAWindow * plan_.typical);
  }

  EnergySamples run() {
    s_.source = counter_.source();
    s_.scope = counter_.scope();
    const nanoseconds begin = clock_.now();
    try {
      measure();
    } catch (const Error& e) {
      if (e.code() == ErrorCode::device_lost) throw;
      s_.why_not = e.what();
    }
    if (s_.windows.empty() && s_.why_not.empty()) s_.why_not = "it was stopped before";
    s_.took = clock_.now() - begin;
    return std::move(s_);
  }

 private:
  void measure() {
    const std::size_t windows = fitting();
    if (windows == 0) {
      s_.why_not = fmt::format("there was no time for a window of {}: with its idle baseline it takes {}",
                               format_time(plan_.length.window),
                               format_time(idle_cost(plan_.length) + window_cost(plan_.length)));
      return;
    }
    workload_.stream().synchronize();
    learn_step();
    s_.idle_before = idle();
    for (std::size_t i = 0; i < windows && !stopped(); ++i) window();
    if (time_left() >= idle_cost(plan_.length)) s_.idle_after = idle();
  }

  bool stopped() {
    s_.stopped = s_.stopped || conductor_.stopped();
    return s_.stopped;
  }
  nanoseconds time_left() const {
    return plan_.deadline == nanoseconds::max() ? nanoseconds::max() : plan_.deadline - clock_.now();
  }

  // The baseline before them is worth more than one more of them.
  std::size_t fitting() const {
    if (plan_.deadline == nanoseconds::max()) return plan_.length.windows;
    const std::int64_t n =
        std::max<std::int64_t>(0, (time_left() - idle_cost(plan_.length)) / window_cost(plan_.length));
    return std::min(plan_.length.windows, static_cast<std::size_t>(n));
  }

  void learn_step() {
    const auto stop = [this] { return stopped(); };
    const auto first = next_edge(counter_, clock_, stop);
    const auto second = first ? next_edge(counter_, clock_, stop) : std::nullopt;
    if (!second) return;
    s_.step = second->at - first->at;
    const nanoseconds begin = clock_.now();
    counter_.joules();
    s_.read = clock_.now() - begin;
  }

  // Nothing is measured meanwhile that a reading could disturb: on this thread.
  std::optional<EnergyStretch> idle() {
    if (plan_.length.idle == 0ns || stopped()) return std::nullopt;
    return read_stretch(counter_, clock_, kIdleSettle, plan_.length.idle, [this] { return stopped(); });
  }

  // Requests that keep step with the counter would be seen at the same moment of each by its sensor.
  void randomise_phase() {
    if (plan_.typical <= kRandomPhase) return;
    sleep_for(clock_, to_nanoseconds(random_.uniform() * to_double(plan_.typical + s_.step)), conductor_);
  }

  void window() {
    randomise_phase();
    RequestLoop loop(workload_, plan_.in_flight, plan_.copies);
    std::vector<Completion> completions;
    completions.reserve(room());
    const auto filled = static_cast<std::int64_t>(loop.in_flight() + 1);
    StretchReader reader(counter_, clock_, device_.host_thread(), std::max(kEnergyLead, filled * plan_.typical),
                         plan_.length.window, cpus_beside());
    loop.run({.until = nanoseconds::max()}, conductor_, [&] { return reader.done() || stopped(); }, completions);
    const auto stretch = reader.take();
    if (!stretch) return;
    std::sort(completions.begin(), completions.end(),
              [](const Completion& a, const Completion& b) { return a.done < b.done; });
    const double requests = completed_at(completions, stretch->to.at) - completed_at(completions, stretch->from.at);
    s_.windows.push_back({*stretch, requests});
  }

  std::size_t room() const {
    const nanoseconds all = window_cost(plan_.length) + kEnergyLead;
    const auto expected = plan_.typical > 0ns ? static_cast<std::size_t>(2 * all / plan_.typical) : kMostRoom;
    return std::min(expected + 64, kMostRoom);
  }

  Workload& workload_;
  Device& device_;
  Clock& clock_;
  EnergyCounter& counter_;
  EnergyPlan plan_;
  Conductor& conductor_;
  Random random_;
  EnergySamples s_;
};

}  // namespace

EnergyLength energy_length(const Options& o, std::size_t launches) {
  EnergyLength l;
  l.windows = std::max(kFewestInALaunch, kFewestWindows / std::max<std::size_t>(1, launches));
  if (o.effort == Effort::sustained) l.window = l.idle = 10s;
  return l;
}

nanoseconds energy_time(const EnergyLength& l) {
  return static_cast<std::int64_t>(l.windows) * window_cost(l) + 2 * idle_cost(l) + kStepAllowance;
}

EnergySamples measure_energy(Workload& workload, const EnergyPlan& plan, Conductor& conductor) {
  const EnergySource source = workload.stream().device().energy();
  if (!source.counter) {
    EnergySamples none;
    none.why_not = source.why_not;
    return none;
  }
  return EnergyPass(workload, *source.counter, plan, conductor).run();
}

}  // namespace strobe
