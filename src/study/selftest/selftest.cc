// SPDX-License-Identifier: Apache-2.0
#include "study/selftest/selftest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "device/clock.h"
#include "measure/closed_form.h"
#include "measure/method_rows.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "stats/comparison.h"
#include "stats/distributions.h"
#include "stats/synthetic/pairs.h"
#include "study/new_record.h"
#include "study/run.h"
#include "study/selftest/checks.h"
#include "study/selftest/launch_rates.h"
#include "study/selftest/simulated_launches.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

// What a run must notice, with the settings that show it; and what is left of it in several launches, whose interval is
// another: few samples and outliers doubt that of one launch.
struct Fault {
  const char *id, *parameters;
  Severity over_launches;
  Options options;
};

const auto& faults() {
  static const std::array all{
      Fault{"drift", "launch=4us,kernels=40x30us,noise=0.005,drift=0.01", Severity::warning, {.min_time = 5s}},
      Fault{"level-shift",
            "launch=4us,kernels=40x30us,noise=0.005,shift=1.1@7s",
            Severity::warning,
            {.min_time = std::chrono::seconds(10), .max_time = std::chrono::seconds(10)}},
      Fault{"bimodal",
            "launch=4us,kernels=40x30us,noise=0.005,modes=1.08@0.3:4",
            Severity::warning,
            {.effort = Effort::quick}},
      Fault{"outliers",
            "launch=4us,kernels=40x30us,noise=0.01,outliers=0.03:5",
            Severity::note,
            {.effort = Effort::quick}},
      Fault{"no-warm-up",
            "launch=4us,kernels=40x30us,noise=0.005,warm=1.5:60",
            Severity::note,  // it is over within the first pass, which is another one in each launch
            {.warmup = 0, .requests = 300}},
      Fault{"work-escaped",
            "launch=4us,kernels=40x30us,noise=0.01,escape=2ms",
            Severity::invalid,
            {.effort = Effort::quick}},
      Fault{"gate-unsafe",
            "launch=4us,kernels=40x30us,noise=0.01,hidden_sync=1",
            Severity::note,
            {.effort = Effort::quick}},
      Fault{
          "gate-leak", "launch=30us,kernels=40x30us,noise=0.01,leak=2ms", Severity::warning, {.effort = Effort::quick}},
      Fault{"timer-resolution",
            "launch=2us,kernels=1x8us,tick=512ns,noise=0.01",
            Severity::warning,
            {.effort = Effort::quick}},
      Fault{"marks-cost",
            "launch=2us,kernels=4x10us,mark_gpu=3us,noise=0.01",
            Severity::warning,
            {.effort = Effort::quick}},
      Fault{"one-sample", "launch=4us,kernels=40x30us", Severity::invalid, {.requests = 1}},
      Fault{"too-few-samples", "launch=4us,kernels=40x30us,noise=0.01", Severity::note, {.requests = 10}},
  };
  return all;
}

// A rate of what takes longer than a run has fewer trials, by these.
constexpr std::size_t kPerFault = 5, kPerEffect = 2, kPerComparison = 4;

class Selftest {
 public:
  explicit Selftest(const SelftestOptions& o) : o_(o), record_(new_record(verb::selftest)) {
    record_.device = {.kind = "simulated", .name = "simulated", .asynchronous = true, .facts = {}, .calibration = {}};
  }

  Record run() {
    readings();
    coverage();
    launches();
    false_alarms();
    power();
    power_over_launches();
    machines_compared();
    comparisons();
    record_.verdict = verdict_of_checks(record_.cases);
    if (stopped()) record_.status = Status::interrupted;
    return std::move(record_);
  }

 private:
  bool stopped() const { return o_.stop && o_.stop(); }
  // Asked before each run and each comparison.
  bool goes_on() {
    constexpr std::size_t kOften = 8;  // a comparison takes no longer than telling of it
    if (o_.progress && done_ % kOften == 0) {
      Progress p;
      p.phase = "checking";
      p.done = done_;
      p.of = all_;
      p.what = "runs";
      p.elapsed = SteadyClock().now() - begin_;
      o_.progress(p);
    }
    ++done_;
    return !stopped();
  }
  std::size_t runs_over(std::size_t n) const { return std::max<std::size_t>(5, o_.runs / n); }
  void check(std::string name, std::string expected, std::string got, bool ok, std::string about) {
    record_.cases.push_back(checked(std::move(name), std::move(expected), std::move(got), ok, std::move(about)));
  }
  void readings();
  void coverage();
  void launches();
  void words(const LaunchRates&);
  void share(std::string name, std::string expected, std::size_t hits, std::size_t of, bool ok, std::string_view what);
  void at_most(std::string name, double most, std::size_t wrong, std::size_t of, std::string_view what);
  void found_in(std::string name, double stated, std::size_t hits, std::size_t of, std::string_view what);
  void false_alarms();
  void power();
  void power_over_launches();
  void machines_compared();
  void comparisons();

  SelftestOptions o_;
  Record record_;
  const nanoseconds begin_ = SteadyClock().now();
  // Three kinds of noise, clean runs, each fault, and once more over launches; each effect, with one run after the
  // last; equal machines and one change; equal systems and three changes, four times as often.
  const std::size_t all_ = 4 * o_.runs + faults().size() * (runs_over(kPerFault) + 1) +
                           drawn_effects().size() * (runs_over(kPerEffect) + 1) + 2 * runs_over(kPerComparison) +
                           4 * 4 * o_.runs;
  std::size_t done_ = 0;
};

// Of a simulated model; a quick run where nothing else is said.
RunOptions simulated(const std::string& parameters, std::size_t seed, Options measure = {.effort = Effort::quick}) {
  RunOptions o;
  o.open.model = fmt::format("sim:{},seed={}", parameters, seed);
  o.measure = std::move(measure);
  return o;
}

bool found(const Record& r, std::string_view id) {
  return std::any_of(r.findings.begin(), r.findings.end(), [&](const Finding& f) { return f.id == id; });
}

// The gravest comes first.
bool is_left(const Fault& fault, const Record& r) {
  const auto it =
      std::find_if(r.findings.begin(), r.findings.end(), [&](const Finding& f) { return f.id == fault.id; });
  return it != r.findings.end() && it->severity == fault.over_launches;
}

bool warned(const Record& r) {
  return std::any_of(r.findings.begin(), r.findings.end(),
                     [](const Finding& f) { return f.about != About::workload && f.severity != Severity::note; });
}

void Selftest::readings() {
  constexpr std::size_t kRequests = 200, kBlock = 40;
  for (const char* machine : {"launch=5us,kernels=20x1us,mark=1us,mark_gpu=2us,sync=6us,copy_in=60us,copy_out=5us",
                              "launch=1us,kernels=20x5us,mark=1us,sync=6us,copy_in=60us,copy_out=5us"}) {
    SimulatedDevice device(parse_sim(machine));
    SimulatedWorkload work(device);
    std::vector<MethodRow> rows;
    for (const NamedMethod& n : named_methods()) rows.push_back({n.method, std::string(n.method.name), {}, {}});
    for (const MethodRow& row : time_by_methods(work, {std::move(rows), 5, kRequests}).rows) {
      std::vector<double> sorted = row.readings;
      std::sort(sorted.begin(), sorted.end());
      const double expected = to_double(closed_form(device.parameters(), row.method, kBlock)),
                   got = sorted.empty() ? 0 : sorted[sorted.size() / 2];
      const std::string kind =
          device.parameters().kernel_launch > device.parameters().kernels[0].length ? "launch-bound" : "device-bound";
      check(fmt::format("{} on a {} device", row.name, kind), fmt::format("{:.0f} ns", expected),
            fmt::format("{:.0f} ns", got), std::fabs(got - expected) <= 1, "reading against its closed formula");
    }
  }
}

// A share of few runs may lie outside a band that the truth lies in.
bool may_be_within(std::size_t hits, std::size_t n, double low, double high) {
  constexpr double kRare = 0.001;
  const auto k = static_cast<std::int64_t>(hits), of = static_cast<std::int64_t>(n);
  const bool too_few = stats::binomial_cdf(k, of, low) < kRare,
             too_many = k > 0 && 1 - stats::binomial_cdf(k - 1, of, high) < kRare;
  return !too_few && !too_many;
}

void Selftest::coverage() {
  struct Process {
    const char *name, *noise;
  };
  for (const Process& p : {Process{"independent noise", "noise=0.02"}, Process{"correlation 0.5", "noise=0.02,ar=0.5"},
                           Process{"correlation 0.8", "noise=0.02,ar=0.8"}}) {
    std::size_t covered = 0, n = 0;
    for (; n < o_.runs && goes_on(); ++n) {
      const Record r = strobe::run(simulated(fmt::format("kernels=1x1ms,{}", p.noise), 1000 + n));
      const Estimate& e = r.metrics.at(metric::device_time).estimate;
      covered += e.low && e.high && *e.low <= 1e6 && 1e6 <= *e.high;
    }
    if (n == 0) return;
    const double rate = static_cast<double>(covered) / static_cast<double>(n);
    check(fmt::format("median's interval, {}", p.name), "92 to 98 %", format_percent(rate),
          may_be_within(covered, n, 0.92, 0.98), fmt::format("covers the truth in {} of {} runs", covered, n));
  }
}

void Selftest::share(std::string name, std::string expected, std::size_t hits, std::size_t of, bool ok,
                     std::string_view what) {
  const double rate = of == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(of);
  check(std::move(name), std::move(expected), format_percent(rate), ok, fmt::format("{} of {} {}", hits, of, what));
}

void Selftest::at_most(std::string name, double most, std::size_t wrong, std::size_t of, std::string_view what) {
  const bool ok = of == 0 || may_be_within(wrong, of, 0, most);
  share(std::move(name), fmt::format("at most {:.0f} %", 100 * most), wrong, of, ok, what);
}

// Less two points, as all power in docs/statistics.md.
void Selftest::found_in(std::string name, double stated, std::size_t hits, std::size_t of, std::string_view what) {
  share(std::move(name), fmt::format("at least {:.0f} %", 100 * stated), hits, of,
        may_be_within(hits, of, stated - 0.02, 1), what);
}

// Runs of five launches of a machine whose processes differ: does the next run read what this one said?
void Selftest::launches() {
  LaunchRates all;
  for (const DrawnEffect& effect : drawn_effects()) {
    LaunchRates rates;
    std::optional<Record> before;
    for (std::size_t n = 0; n <= runs_over(kPerEffect) && goes_on(); ++n) {
      Record r = simulated_run(effect, 20'000 + n);
      if (before) rates += tally(*before, r, effect);
      before = std::move(r);
    }
    if (rates.runs == 0) return;
    // Those of a run share its interval: as few trials as there are runs.
    const bool ok = may_be_within(rates.inside * rates.runs / rates.launches, rates.runs, 0.9, 1);
    share(fmt::format("the next launch is inside, {}", effect.name), "at least 90 %", rates.inside, rates.launches, ok,
          "launches");
    all += rates;
  }
  words(all);
}

void Selftest::words(const LaunchRates& all) {
  at_most("'repeats', and the next run is outside", 0.05, all.not_repeated, all.repeats, "runs that said so");
  at_most("'varies', and launches agree within 0.1 %", 0.10, all.called_unsteady, all.steady, "such runs");
}

void Selftest::false_alarms() {
  std::size_t alarms = 0, n = 0;
  for (; n < o_.runs && goes_on(); ++n) {
    const char* noise = n % 3 == 0 ? "noise=0.02" : n % 3 == 1 ? "noise=0.02,ar=0.3" : "noise=0.02,ar=0.6";
    alarms += warned(strobe::run(simulated(fmt::format("launch=4us,kernels=40x30us,{}", noise), 5000 + n)));
  }
  if (n == 0) return;
  at_most("false alarms on clean runs", 0.02, alarms, n, "runs");
}

void Selftest::power() {
  const std::size_t runs = runs_over(kPerFault);
  for (const Fault& f : faults()) {
    std::size_t hits = 0, n = 0;
    for (; n < runs && goes_on(); ++n) hits += found(strobe::run(simulated(f.parameters, 9000 + n, f.options)), f.id);
    if (n == 0) return;
    const double rate = static_cast<double>(hits) / static_cast<double>(n);
    check(fmt::format("{} is found", f.id), "at least 95 %", format_percent(rate), rate >= 0.95,
          fmt::format("{} of {} runs", hits, n));
  }
}

// What single launches show must be left in the record of several.
void Selftest::power_over_launches() {
  std::vector<std::string> lost;
  std::size_t n = 0;
  for (const Fault& f : faults()) {
    if (!goes_on()) return;
    ++n;
    if (!is_left(f, simulated_launches(simulated(f.parameters, 9500, f.options)))) lost.emplace_back(f.id);
  }
  check(fmt::format("faults are found over {} launches", kSimulatedLaunches), fmt::format("all {}", n),
        fmt::format("{}", n - lost.size()), lost.empty(),
        lost.empty() ? "each with its severity" : fmt::format("not {}", fmt::join(lost, ", ")));
}

// By `compare`, with everything between the options and the word; 8 pairs of processes that draw their own speed.
void Selftest::machines_compared() {
  const auto effects = drawn_effects();
  std::size_t wrong = 0, n = 0;
  for (; n < runs_over(kPerComparison) && goes_on(); ++n) {
    const std::string word = word_of_compare(effects[n % effects.size()], 0, 1 + n);
    wrong += word == change_word::faster || word == change_word::slower;
  }
  if (n == 0) return;
  at_most("equal machines called different", 0.02, wrong, n, "comparisons");

  std::size_t hits = 0, tried = 0;
  for (; tried < runs_over(kPerComparison) && goes_on(); ++tried)
    hits += word_of_compare(kScatter, 0.01, 1000 + tried) == change_word::slower;
  if (tried == 0) return;
  found_in("a machine that is 1 % slower is found", 0.95, hits, tried,
           fmt::format("comparisons, processes: {}", kScatter.name));
}

// Two systems whose launches draw their own speed; 8 pairs, the fewest that `strobe compare` decides by.
void Selftest::comparisons() {
  const std::size_t wanted = 4 * o_.runs;
  std::size_t wrong = 0, n = 0;
  for (; n < wanted && goes_on(); ++n) {
    const stats::LaunchEffect& effect = stats::kLaunchEffects[n % std::size(stats::kLaunchEffects)];
    const stats::Outcome o = stats::compare_pairs(stats::simulate_pairs({.effect = effect}, 1 + n)).outcome;
    wrong += o == stats::Outcome::faster || o == stats::Outcome::slower;
  }
  if (n == 0) return;
  at_most("equal systems called different", 0.02, wrong, n, "comparisons");

  struct Change {
    double height, stated;
  };
  const stats::LaunchEffect scatter{.name = "0.3 %", .scatter = 0.003};
  for (const Change& c : {Change{0.01, 0.95}, Change{0.02, 0.99}, Change{0.05, 0.99}}) {
    std::size_t hits = 0, tried = 0;
    for (; tried < wanted && goes_on(); ++tried)
      hits +=
          stats::compare_pairs(stats::simulate_pairs({.effect = scatter, .change = c.height}, 1000 + tried)).outcome ==
          stats::Outcome::slower;
    if (tried == 0) return;
    found_in(fmt::format("{} slower is found", format_percent(c.height)), c.stated, hits, tried,
             fmt::format("comparisons, launches scatter by {}", scatter.name));
  }
}

}  // namespace

Record selftest(const SelftestOptions& o) {
  return Selftest(o).run();
}

}  // namespace strobe
