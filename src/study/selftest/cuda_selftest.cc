// SPDX-License-Identifier: Apache-2.0
#include "study/selftest/cuda_selftest.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "device/device.h"
#include "measure/calibration.h"
#include "record/metric_names.h"
#include "stats/summary.h"
#include "study/new_record.h"
#include "study/selftest/checks.h"
#include "study/selftest/known_kernels.h"

namespace strobe {
namespace {

class CudaSelftest {
 public:
  CudaSelftest(Device& device, const std::function<bool()>& stop, const std::function<void(const Progress&)>& progress)
      : device_(device), stop_(stop), progress_(progress), r_(new_record(verb::selftest)) {
    r_.device = device.info();
    r_.device.calibration = calibrate(device, Depth::thorough);
  }

  Record run() {
    if (const Capability gate = device_.can().gate; !gate)
      throw Error(ErrorCode::unsupported, "cannot test the gate", gate.why_not, "Run without it.");
    KnownKernels kernels(device_);
    const nanoseconds begin = device_.clock().now();
    std::size_t done = 0;
    for (const NamedWay& w : ways()) {
      report(done++, device_.clock().now() - begin);
      std::vector<Reading>& readings = readings_[w.way];
      readings = w.way == Way::gated ? kernels.settled(w.way, allowed_width(), stop_) : kernels.medians(w.way, stop_);
      if (stop_ && stop_()) return interrupted();
      for (std::size_t k = 0; k < readings.size(); ++k) add_row(w, kLengths[k], readings[k]);
      if (w.is_truth) judge_way(w, readings);
    }
    judge_gates();
    judge_host_cost(kernels);
    r_.verdict = verdict_of_checks(r_.cases);
    return std::move(r_);
  }

 private:
  double allowed_width() const { return allowed_offset_width(device_, r_.device.calibration); }
  void report(std::size_t done, nanoseconds elapsed) const {
    if (!progress_) return;
    Progress p;
    p.phase = "checking";
    p.done = done;
    p.of = ways().size();
    p.what = "methods";
    p.elapsed = elapsed;
    progress_(p);
  }

  Record interrupted() {
    r_.status = Status::interrupted;
    return std::move(r_);
  }

  void add_row(const NamedWay& w, nanoseconds length, const Reading& x) {
    Case c;
    c.name = fmt::format("{}, {}", w.name, format_time(length));
    c.check = {format_time(x.truth), format_time(x.read), x.truth};
    Metric& m = c.metrics[metric::reading];
    m.n = 1;
    m.estimate.value = x.read;
    m.min = m.max = x.read;
    c.difference = x.read / x.truth - 1;
    c.about = fmt::format("{}{:.2f} µs: {}", x.offset < 0 ? "" : "+", x.offset / 1e3, w.about);
    r_.cases.push_back(std::move(c));
  }

  void check(std::string name, std::string expected, std::string got, bool ok, std::string about) {
    r_.cases.push_back(checked(std::move(name), std::move(expected), std::move(got), ok, std::move(about)));
  }

  // What a method reads beyond the truth must be one constant, at every length.
  void judge_way(const NamedWay& w, const std::vector<Reading>& xs) {
    const auto [low, high] = offset_range(xs);
    // Behind a spinning kernel, and for a graph, what comes before the kernel varies by a few ticks.
    if (w.way == Way::gated)
      check(fmt::format("{}: one constant at all lengths", w.name), fmt::format("within {:.0f} ns", allowed_width()),
            fmt::format("{:.0f} ns", high - low), high - low <= allowed_width(),
            fmt::format("reads {:.2f} to {:.2f} µs more than the kernel", low / 1e3, high / 1e3));
    const double slope = (xs.back().read - xs.front().read) / (xs.back().truth - xs.front().truth);
    check(fmt::format("{}: slope over lengths", w.name), "1 ± 0.001", fmt::format("{:.6f}", slope),
          std::fabs(slope - 1) <= 0.001, "of the reading over the truth");
    if (w.way == Way::graph) return;
    const double pair = r_.device.calibration.at("kernel_pair_ns"), offset = (low + high) / 2;
    check(fmt::format("{}: the constant is the calibrated pair", w.name), fmt::format("{:.2f} µs ± 0.5", pair / 1e3),
          fmt::format("{:.2f} µs", offset / 1e3), std::fabs(offset - pair) <= 500,
          "marks around an empty kernel read as much");
  }

  void judge_gates() {
    const auto typical = std::find(kLengths.begin(), kLengths.end(), 200us) - kLengths.begin();
    const auto read = [&](Way way) { return readings_.at(way).at(static_cast<std::size_t>(typical)).read; };
    const double a = read(Way::gated), b = read(Way::gated_spin);
    check("wait-value and spin gate agree", "within 0.5 %", format_percent(std::fabs(a / b - 1)),
          std::fabs(a / b - 1) <= 0.005, "the same kernel behind both gates");
  }

  // What a sample costs the host beyond submitting the work itself.
  void judge_host_cost(KnownKernels& kernels) {
    const double plain = kernels.host_cost(Way::sync), event = kernels.host_cost(Way::event) - plain,
                 gated = kernels.host_cost(Way::gated) - plain;
    check("host cost of a sample, event", "at most 3 µs", format_time(event), event <= 3000,
          "beyond submitting the work itself");
    check("host cost of a sample, gated", "at most 10 µs", format_time(gated), gated <= 10'000,
          "beyond submitting the work itself");
  }

  Device& device_;
  const std::function<bool()>& stop_;
  const std::function<void(const Progress&)>& progress_;
  std::map<Way, std::vector<Reading>> readings_;  // of each length
  Record r_;
};

}  // namespace

Record cuda_selftest(const std::string& device, const std::function<bool()>& stop,
                     const std::function<void(const Progress&)>& progress) {
  const auto opened = open_device(device);
  if (!opened->true_kernel())
    throw Error(ErrorCode::usage, fmt::format("cannot test {}", device), "it has no kernels of known length",
                "Leave --device out to test on the simulated device, or name a GPU.");
  return CudaSelftest(*opened, stop, progress).run();
}

}  // namespace strobe
