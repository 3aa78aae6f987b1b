#include "study/cuda_selftest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/graph.h"
#include "measure/calibration.h"
#include "stats/middle.h"
#include "stats/summary.h"
#include "study/new_record.h"

namespace strobe {
namespace {

using cuda::CudaDevice;

enum class Way { naive, sync, event, block, gated, gated_spin, graph };
struct NamedWay {
  Way way;
  const char *name, *about;
  bool is_truth;  // it claims to read the kernel's own time
};
constexpr std::array kWays{
    NamedWay{Way::naive, "naive", "the clock stops when the kernel is handed over", false},
    NamedWay{Way::sync, "sync", "host clock, device-wide wait: launch and wake-up included", false},
    NamedWay{Way::event, "event", "events on an idle stream: the launch is included", false},
    NamedWay{Way::block, "block", "one pair of events around ten kernels, per kernel", false},
    NamedWay{Way::gated, "gated", "queued whole behind a waiting stream", true},
    NamedWay{Way::gated_spin, "gated-spin", "queued whole behind a spinning kernel", true},
    NamedWay{Way::graph, "graph", "a captured graph behind the gate", true},
};

constexpr std::array kLengths{20us, 200us, 2000us, 20000us};
// The GPU looks for the end of a kernel about every 0.3 µs. At one length a short kernel would always end at the same
// moment between two looks and read up to that much more or less than the others: so each length is varied, by steps of
// the GPU's timer, over three such periods.
constexpr std::size_t kPhases = 32;
constexpr std::size_t kWarmup = 3, kRepeats = 3 * kPhases;
constexpr nanoseconds varied(nanoseconds length, std::size_t phase) {
  return length - 512ns + 32ns * static_cast<std::int64_t>(phase);
}

struct Reading {
  double read = 0, truth = 0;  // ns, medians
  double offset = 0;           // what the reading has beyond the truth
};

// The mean of the middle half: both clocks tick in steps of 32 ns, and a median would only choose between steps.
double middle_mean(std::vector<double> xs) {
  std::sort(xs.begin(), xs.end());
  const auto begin = xs.begin() + static_cast<std::ptrdiff_t>(xs.size() / 4);
  const auto end = xs.end() - static_cast<std::ptrdiff_t>(xs.size() / 4);
  return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
}

class Spins {
 public:
  explicit Spins(CudaDevice& device)
      : device_(device),
        stream_(device.stream()),
        beside_(device.stream()),
        native_(static_cast<CUstream>(stream_->native())),
        truth_(device.buffer(sizeof(cuda::Truth), Place::device)),
        seen_(device.buffer(sizeof(cuda::Truth), Place::pinned)) {
    stream_->reserve(2);
  }

  // Lengths take turns, so that a clock that ramps or a chip that warms hits all of them alike.
  std::vector<Reading> medians(Way way, const std::function<bool()>& stop) {
    std::array<std::vector<double>, kLengths.size()> reads, truths;
    std::array<std::vector<cuda::Graph>, kLengths.size()> graphs;
    if (way == Way::graph) {
      for (std::size_t k = 0; k < kLengths.size(); ++k) graphs[k] = captured(kLengths[k]);
    }
    for (std::size_t i = 0; i < kWarmup + kRepeats && !(stop && stop()); ++i) {
      const std::size_t phase = i % kPhases;
      for (std::size_t k = 0; k < kLengths.size(); ++k) {
        stream_->synchronize();
        const double read = once(way, varied(kLengths[k], phase), graphs[k].empty() ? nullptr : &graphs[k][phase]);
        stream_->synchronize();
        if (i >= kWarmup) reads[k].push_back(read), truths[k].push_back(truth());
      }
    }
    std::vector<Reading> result;
    for (std::size_t k = 0; k < kLengths.size() && !reads[k].empty(); ++k) {
      std::vector<double> offsets = reads[k];
      for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] -= truths[k][i];
      result.push_back({stats::middle_of(std::move(reads[k])), stats::middle_of(std::move(truths[k])),
                        middle_mean(std::move(offsets))});
    }
    return result;
  }

  // Time from the first call for a sample to the last before the host waits.
  double host_cost(Way way) {
    std::vector<double> costs;
    for (int i = 0; i < 401; ++i) {
      stream_->synchronize();
      const nanoseconds begin = device_.clock().now();
      std::optional<Gate> gate;
      if (way == Way::gated) gate.emplace(device_.hold(*stream_, {}));
      if (way != Way::sync) stream_->mark();
      device_.kernels().empty(native_);
      if (way != Way::sync) stream_->mark();
      if (gate) gate->open();
      costs.push_back(to_double(device_.clock().now() - begin));
    }
    return stats::middle_of(std::move(costs));
  }

 private:
  // What the kernel stored, in ns. It stores into the device's own memory: a kernel that wrote to the host's would have
  // to wait for the bus before it is over. It is fetched on another stream, because the first mark behind a copy is
  // made where copies are, microseconds away from the kernel that follows.
  double truth() {
    beside_->copy(seen_.bytes(), truth_.bytes());
    beside_->synchronize();
    const auto* t = reinterpret_cast<const volatile cuda::Truth*>(seen_.bytes().data());
    return static_cast<double>(t->end - t->begin);
  }
  void spin(nanoseconds length) {
    device_.kernels().spin(native_, length, reinterpret_cast<CUdeviceptr>(truth_.bytes().data()));
  }
  // One for each phase, launched once: the first launch of a graph carries it to the device.
  std::vector<cuda::Graph> captured(nanoseconds length) {
    std::vector<cuda::Graph> graphs;
    std::string why_not;
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      graphs.push_back(cuda::capture(device_.driver(), native_, [&] { spin(varied(length, phase)); }, why_not));
      if (!graphs.back()) throw Error(ErrorCode::failed, "cannot test graphs", why_not);
      graphs.back().launch(native_);
    }
    stream_->synchronize();
    return graphs;
  }
  double once(Way way, nanoseconds length, const cuda::Graph* graph) {
    Clock& clock = device_.clock();
    const nanoseconds begin = clock.now();
    if (way == Way::naive || way == Way::sync) {
      spin(length);
      if (way == Way::sync) device_.synchronize();
      return to_double(clock.now() - begin);
    }
    const int kernels = way == Way::block ? 10 : 1;
    std::optional<Gate> gate;
    if (way >= Way::gated)
      gate.emplace(device_.hold(
          *stream_, {.kind = way == Way::gated_spin ? GateOptions::Kind::spin : GateOptions::Kind::automatic}));
    const Mark a = stream_->mark();
    for (int i = 0; i < kernels; ++i) graph ? graph->launch(native_) : spin(length);
    const Mark b = stream_->mark();
    if (gate) gate->open();
    stream_->wait(b);
    return to_double(stream_->between(a, b)) / kernels;
  }

  CudaDevice& device_;
  std::unique_ptr<Stream> stream_, beside_;
  CUstream native_;
  Buffer truth_, seen_;
};

class CudaSelftest {
 public:
  CudaSelftest(CudaDevice& device, const std::function<bool()>& stop)
      : device_(device), stop_(stop), r_(new_record("selftest")) {
    r_.device = device.info();
    r_.device.calibration = calibrate(device, true);
  }

  Record run() {
    if (const Capability gate = device_.can().gate; !gate)
      throw Error(ErrorCode::unsupported, "cannot test the gate", gate.why_not, "Run without it.");
    Spins spins(device_);
    for (const NamedWay& w : kWays) {
      const std::vector<Reading> readings = spins.medians(w.way, stop_);
      if (stop_ && stop_()) return interrupted();
      for (std::size_t k = 0; k < readings.size(); ++k) add_row(w, kLengths[k], readings[k]);
      if (w.is_truth) judge_way(w, readings);
    }
    judge_gates();
    judge_host_cost(spins);
    r_.verdict = std::any_of(r_.cases.begin(), r_.cases.end(), [](const Case& c) { return !c.error.empty(); })
                     ? Verdict::invalid
                     : Verdict::trusted;
    return std::move(r_);
  }

 private:
  Record interrupted() {
    r_.status = Status::interrupted;
    return std::move(r_);
  }

  void add_row(const NamedWay& w, nanoseconds length, const Reading& x) {
    Case c;
    c.name = fmt::format("{}, {}", w.name, format_time(length));
    c.settings = {{"expected", format_time(x.truth)}, {"got", format_time(x.read)}, {"truth_ns", x.truth}};
    Metric& m = c.metrics["reading"];
    m.n = 1, m.median.value = x.read, m.min = m.max = x.read;
    c.difference = x.read / x.truth - 1;
    c.about = fmt::format("{}{:.2f} µs: {}", x.offset < 0 ? "" : "+", x.offset / 1e3, w.about);
    r_.cases.push_back(std::move(c));
  }

  void check(std::string name, std::string expected, std::string got, bool ok, std::string about) {
    Case c;
    c.name = std::move(name);
    c.settings = {{"expected", std::move(expected)}, {"got", std::move(got)}};
    c.about = std::move(about);
    if (!ok) c.error = "not within its band: " + c.about;
    r_.cases.push_back(std::move(c));
  }

  // What a method reads beyond the truth must be one constant, at every length.
  void judge_way(const NamedWay& w, const std::vector<Reading>& xs) {
    double low = 1e18, high = -1e18;
    for (const Reading& x : xs) low = std::min(low, x.offset), high = std::max(high, x.offset);
    const double tick = to_double(device_.tick());
    // Behind a spinning kernel, and for a graph, what comes before the kernel varies by a few ticks.
    if (w.way == Way::gated)
      check(fmt::format("{}: one constant at all lengths", w.name), fmt::format("within {:.0f} ns", 2 * tick),
            fmt::format("{:.0f} ns", high - low), high - low <= 2 * tick + 1,
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
    const auto read = [&](const char* name) {
      for (const Case& c : r_.cases) {
        if (c.name == fmt::format("{}, {}", name, format_time(nanoseconds(200us))))
          return c.metrics.at("reading").median.value;
      }
      return 0.0;
    };
    const double a = read("gated"), b = read("gated-spin");
    check("wait-value and spin gate agree", "within 0.5 %", format_percent(std::fabs(a / b - 1)),
          std::fabs(a / b - 1) <= 0.005, "the same kernel behind both gates");
  }

  // What a sample costs the host beyond submitting the work itself.
  void judge_host_cost(Spins& spins) {
    const double plain = spins.host_cost(Way::sync), event = spins.host_cost(Way::event) - plain,
                 gated = spins.host_cost(Way::gated) - plain;
    check("host cost of a sample, event", "at most 3 µs", format_time(event), event <= 3000,
          "beyond submitting the work itself");
    check("host cost of a sample, gated", "at most 10 µs", format_time(gated), gated <= 10'000,
          "beyond submitting the work itself");
  }

  CudaDevice& device_;
  const std::function<bool()>& stop_;
  Record r_;
};

}  // namespace

Record cuda_selftest(const std::string& device, const std::function<bool()>& stop) {
  const auto opened = open_device(device);
  auto* gpu = dynamic_cast<CudaDevice*>(opened.get());
  if (!gpu)
    throw Error(ErrorCode::usage, fmt::format("cannot test {}", device), "it has no kernels of known length",
                "Leave --device out to test on the simulated device, or name a GPU.");
  return CudaSelftest(*gpu, stop).run();
}

}  // namespace strobe
