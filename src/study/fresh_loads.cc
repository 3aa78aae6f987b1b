// SPDX-License-Identifier: Apache-2.0
#include "study/fresh_loads.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "base/units.h"
#include "device/clock.h"
#include "device/device.h"
#include "measure/launch_length.h"
#include "option/forms.h"
#include "record/metric_names.h"
#include "study/merge_launches.h"
#include "study/options/tables.h"
#include "study/run.h"
#include "workload/callable.h"

namespace strobe {
namespace {

constexpr std::size_t kFewestLoads = 3, kLoadsForLevels = 5;  // with fewer, levels may be missed
constexpr std::size_t kFewestRequestsOfLoad = 20;
constexpr nanoseconds kShortestLoad = 600ms;  // of max_time

// How long another one like this would take.
nanoseconds cost_of_load(const Record& r) {
  return to_nanoseconds(r.startup.load_ns.value_or(0) + r.startup.warmup_ns.value_or(0) + r.window_ns);
}

class FreshLoads {
 public:
  FreshLoads(const LoadWorkload& load, const Options& o) : load_(load), o_(o), plan_(launch_length(o)) {
    if (!o.max_time) return;
    const auto fits = static_cast<std::size_t>(*o.max_time / kShortestLoad);
    if (fits < plan_.launches) leave_at(fits < kFewestLoads ? 1 : fits);
    limit_ = *o.max_time / static_cast<std::int64_t>(plan_.launches);
  }

  Record run() {
    take(1);
    plan_others();
    for (std::size_t i = 2; i <= plan_.launches && !ended_; ++i) {
      if (is_late())
        leave_at(i - 1);
      else
        take(i);
    }
    return whole();
  }

 private:
  nanoseconds elapsed() const { return SteadyClock().now() - begun_; }
  nanoseconds left() const;
  bool is_late() const { return limit_ && left() < cost_ / 2; }
  // There is no time for more loads than this.
  void leave_at(std::size_t loads) {
    wanted_ = std::max(wanted_, plan_.launches);
    plan_.launches = loads;
  }
  void tell(std::size_t load) const;
  Options options_of(std::size_t load) const;
  Record measure_one(std::size_t load);
  void take(std::size_t load);
  void plan_others();
  Finding too_few(std::size_t loads) const;
  Record whole();

  const LoadWorkload& load_;
  const Options& o_;
  LaunchLength plan_;
  const std::size_t asked_ = plan_.launches;  // before the time was counted
  const nanoseconds begun_ = SteadyClock().now();
  nanoseconds load_begun_ = begun_;
  std::optional<nanoseconds> limit_;  // of what is measured of one load
  std::vector<Record> loads_;
  std::size_t wanted_ = 0;  // more than the time allowed
  nanoseconds cost_{};      // of one more
  std::string failure_;
  bool ended_ = false;  // by somebody, or by a failure
};

// Time counts from the first request on: the first load comes before it.
nanoseconds FreshLoads::left() const {
  return plan_.whole + to_nanoseconds(loads_.front().startup.load_ns.value_or(0)) - elapsed();
}

void FreshLoads::tell(std::size_t load) const {
  if (!o_.progress) return;
  Progress p;
  p.phase = fmt::format("load {} of {}", load, plan_.launches);
  p.elapsed = elapsed();
  if (cost_ > 0ns)
    p.at_most = load_begun_ - begun_ + static_cast<std::int64_t>(plan_.launches - load + 1) * cost_;
  else if (o_.max_time)
    p.at_most = *o_.max_time;
  o_.progress(p);
}

Options FreshLoads::options_of(std::size_t load) const {
  Options o = o_;
  o.max_time = limit_;
  if (load > 1) o.samples.clear();
  if (o_.progress) o.progress = [this, load](const Progress&) { tell(load); };
  return o;
}

Record FreshLoads::measure_one(std::size_t load) {
  load_begun_ = SteadyClock().now();
  tell(load);
  const std::unique_ptr<Workload> workload = load_();
  if (!workload) throw Error(ErrorCode::usage, "cannot measure a load", "the function that loads returned nothing");
  const nanoseconds loading = SteadyClock().now() - load_begun_;
  Record r = measure_workload(*workload, options_of(load), load);
  r.startup.load_ns = to_double(loading);
  return r;
}

// A load that fails does not take those before with it.
void FreshLoads::take(std::size_t load) {
  try {
    Record r = measure_one(load);
    ended_ = r.status == Status::interrupted;
    if (ended_) failure_ = r.status_reason;
    if (!ended_ || loads_.empty()) loads_.push_back(std::move(r));  // a part of a load is no observation
  } catch (const std::exception& e) {
    if (loads_.empty()) throw;
    failure_ = e.what();
    ended_ = true;
  }
  ended_ = ended_ || (o_.stop && o_.stop());
}

// The first load tells what one costs. Where its share of the time was too short for enough requests, one load gets all
// that is left.
void FreshLoads::plan_others() {
  cost_ = cost_of_load(loads_.front());
  if (ended_ || plan_.launches < 2 || (o_.launches && !o_.max_time)) return;
  const Metric* latency = loads_.front().find(metric::latency);
  if (limit_ && latency && latency->n < kFewestRequestsOfLoad && left() > 2 * *limit_) {
    limit_ = left() - to_nanoseconds(loads_.front().startup.load_ns.value_or(0));
    loads_.clear();
    leave_at(1);
    take(1);
    cost_ = cost_of_load(loads_.front());
    return;
  }
  const auto all = static_cast<std::size_t>(std::max<std::int64_t>(0, left() / std::max(cost_, 1ns))) + 1;
  if (all < plan_.launches) leave_at(all < kFewestLoads ? 1 : all);
}

Finding FreshLoads::too_few(std::size_t loads) const {
  const double five = to_double(static_cast<std::int64_t>(kLoadsForLevels) * cost_);
  return {.id = "few-launches",
          .severity = Severity::note,
          .message = loads == 1 ? fmt::format("there was time for one load only: what differs between loads is not "
                                              "known; {} loads would take about {}",
                                              kLoadsForLevels, format_time(five))
                                : fmt::format("there was time for {} of {} loads: if loads fall on two levels, one of "
                                              "them may be missing",
                                              loads, wanted_),
          .advice = "Give it more time (max_time)."};
}

Record FreshLoads::whole() {
  const std::size_t loads = loads_.size();
  const bool broken = ended_ && loads < plan_.launches;
  for (Record& r : loads_) r.one_process = loads > 1;
  Record r = loads > 1 ? merge_launches(std::move(loads_), plan_.margin) : std::move(loads_.front());
  if (wanted_ > 0 && loads < kLoadsForLevels && !broken) r.findings.push_back(too_few(loads));
  if (broken) {
    r.status = Status::interrupted;
    r.status_reason = failure_;
  }
  if (asked_ > 1) r.settings["launches"] = static_cast<std::int64_t>(asked_);
  if (o_.max_time) r.settings["max_time_ns"] = to_double(*o_.max_time);
  r.duration_ns = to_double(elapsed());
  return r;
}

}  // namespace

Record measure_loads(const LoadWorkload& load, const Options& o) {
  check_options(measure_table(), o);
  Options each = o;
  each.launches.reset();  // how many loads: not an option of one
  refuse_beside_callables(measure_table(), each);
  return FreshLoads(load, o).run();
}

Record measure_fresh(LoadWorkload load, const Options& o) {
  if (!load) throw Error(ErrorCode::usage, "cannot load with a function that is empty");
  refuse_callable_members(o);
  return measure_loads(load, o);
}

Record measure_fresh(std::function<std::function<void()>()> load, const Options& o) {
  if (!load) throw Error(ErrorCode::usage, "cannot load with a function that is empty");
  const std::shared_ptr<Device> device = open_device(o.device);
  const auto workload = [&] {
    std::function<void()> loaded = load();
    if (!loaded) throw Error(ErrorCode::usage, "cannot measure a load", "the function that loads returned nothing");
    return std::make_unique<Callable>(std::move(loaded), o.stream ? device->adopt(o.stream) : device->stream(),
                                      o.items);
  };
  return measure_loads(workload, o);
}

}  // namespace strobe
