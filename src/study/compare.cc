#include "study/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

#include <fmt/format.h>

#include <strobe/error.h>

#include "measure/analysis.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "study/comparisons.h"
#include "study/new_record.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

constexpr nanoseconds kSettleGap = 2ms;  // between two turns: threads of the side that waits have stopped spinning

// Doubts about a candidate that taking turns does not remove.
bool concerns_comparison(const Finding& f) {
  static constexpr std::array<std::string_view, 7> kKept{"output-mismatch", "debug-build",      "work-escaped",
                                                         "gate-unsafe",     "timer-resolution", "profiler-attached",
                                                         "impossible"};
  return std::find(kKept.begin(), kKept.end(), f.id) != kKept.end();
}

// ONNX Runtime's threads spin for a while after a request, into the other side's turn.
void stop_spinning(CandidateOptions& c) {
  static const std::string kKey = "session.force_spinning_stop";
  if (runtime_of(c.run.open) != "onnxruntime") return;
  if (c.run.open.options.settings.emplace(kKey, "1").second) c.words.insert(c.words.end(), {"--set", kKey + "=1"});
}

struct Side {
  std::string name;
  std::unique_ptr<Candidate> candidate;
  std::vector<TurnReadings> turns;  // one a round
  std::vector<double> at_seconds;   // when each began
  Record about;                     // as it was after the first round: later it may be lost
};

class Comparing {
 public:
  explicit Comparing(const CompareOptions& o) : o_(o), random_(o.seed), record_(new_record("compare")) {}

  Record run();

 private:
  void open();
  void take_turns();
  void load_all();
  void round();
  bool stopped() const { return stopped_ || (o_.stop && o_.stop()); }
  void report(const char* phase, std::size_t done) const;
  void describe();
  void gather_findings();
  void compare_metric(const std::string& metric);
  Metric metric_of(const Side&, const std::string& metric) const;
  // Rounds that every side finished.
  std::size_t complete() const;

  const CompareOptions& o_;
  std::mt19937_64 random_;
  Record record_;
  SteadyClock clock_;
  nanoseconds begin_ = clock_.now();
  std::vector<Side> sides_;
  std::vector<std::size_t> order_;
  std::size_t rounds_done_ = 0;
  bool in_workers_ = false, stopped_ = false;
};

void Comparing::open() {
  std::vector<CandidateOptions> all = o_.candidates;
  if (o_.noise_floor) all.push_back(all.front()), all.back().name = noise_floor_name(all.front().name);
  in_workers_ = o_.workers || !can_share_a_process(all);
  for (CandidateOptions& c : all) {
    stop_spinning(c);
    c.run.measure.stop = [this] { return stopped(); };
    sides_.push_back({c.name, in_workers_ ? worker_candidate(c) : local_candidate(c), {}, {}, {}});
  }
  order_.resize(sides_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

void Comparing::load_all() {
  for (const std::size_t i : order_) {
    if (stopped()) return;
    report(fmt::format("loading {}", sides_[i].name).c_str(), rounds_done_);
    try {
      sides_[i].candidate->load();
    } catch (const Error& e) {
      if (e.code() == ErrorCode::usage) throw;
      throw Error(e.code(), fmt::format("cannot compare '{}'", sides_[i].name), e.what());
    }
  }
}

// A random order, then its rotations: after as many rounds as there are sides each has stood in each place. For two
// sides that is AB, BA or BA, AB.
void Comparing::round() {
  if (rounds_done_ % order_.size() == 0)
    std::shuffle(order_.begin(), order_.end(), random_);
  else
    std::rotate(order_.begin(), order_.begin() + 1, order_.end());
  for (const std::size_t i : order_) {
    Side& side = sides_[i];
    std::this_thread::sleep_for(kSettleGap);
    const double at = to_seconds(clock_.now() - begin_);
    TurnReadings readings = side.candidate->turn();
    if (readings.empty()) {
      stopped_ = true;
      return;
    }
    side.turns.push_back(std::move(readings));
    side.at_seconds.push_back(at);
  }
  ++rounds_done_;
  if (rounds_done_ == 1) {
    for (Side& side : sides_) side.about = side.candidate->describe();
  }
}

void Comparing::report(const char* phase, std::size_t done) const {
  if (!o_.progress) return;
  Progress p;
  p.phase = fmt::format("{}, round {} of {}", phase, done, o_.rounds);
  p.elapsed = clock_.now() - begin_;
  if (done > 0) p.at_most = p.elapsed * static_cast<std::int64_t>(o_.rounds) / static_cast<std::int64_t>(done);
  o_.progress(p);
}

Metric Comparing::metric_of(const Side& side, const std::string& metric) const {
  SeriesData series;
  for (std::size_t k = 0; k < side.turns.size(); ++k) {
    const auto it = side.turns[k].find(metric);
    if (it == side.turns[k].end()) continue;
    const bool rate = it->second.samples.empty();
    for (const double x : rate ? std::vector<double>{it->second.value} : it->second.samples) {
      series.values.push_back(x);
      series.at_seconds.push_back(side.at_seconds[k]);
      series.round.push_back(static_cast<std::uint32_t>(k));
    }
  }
  Metric m = describe_series(series, {});
  const MetricInfo* info = metric_info(metric);
  if (info) m.unit = info->unit;
  if (info && info->kind != MetricKind::sample) m.percentiles.clear();
  return m;
}

std::size_t Comparing::complete() const {
  std::size_t n = SIZE_MAX;
  for (const Side& s : sides_) n = std::min(n, s.turns.size());
  return n;
}

void Comparing::compare_metric(const std::string& metric) {
  std::vector<std::vector<double>> ratios;
  std::vector<const Side*> against;
  const Side& first = sides_.front();
  for (const Side& side : std::span(sides_).subspan(1)) {
    std::vector<double>& y = ratios.emplace_back();
    against.push_back(&side);
    for (std::size_t k = 0; k < complete(); ++k) {
      const auto a = first.turns[k].find(metric), b = side.turns[k].find(metric);
      if (a != first.turns[k].end() && b != side.turns[k].end() && a->second.value > 0 && b->second.value > 0)
        y.push_back(std::log(b->second.value / a->second.value));
    }
  }
  stats::ComparisonRule rule;
  rule.margin = o_.margin;
  const auto results = stats::compare_family(ratios, rule);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!ratios[i].empty())
      record_.comparisons.push_back(to_comparison(first.name, against[i]->name, metric, results[i]));
  }
}

// The candidates' doubts; one that all share is said once.
void Comparing::gather_findings() {
  for (const Case& c : record_.cases) {
    for (Finding f : c.findings) {
      const auto shares = [&](const Case& other) {
        return std::any_of(other.findings.begin(), other.findings.end(),
                           [&](const Finding& g) { return g.id == f.id && g.message == f.message; });
      };
      const bool all = std::all_of(record_.cases.begin(), record_.cases.end(), shares);
      if (all && &c != &record_.cases.front()) continue;
      if (!all) f.message = fmt::format("({}) {}", c.name, f.message);
      record_.findings.push_back(std::move(f));
    }
  }
  record_.verdict = verdict_of(record_.findings);
}

void Comparing::describe() {
  for (Side& side : sides_) {
    Record& r = side.about;
    Case c;
    c.name = side.name;
    c.settings = r.settings;
    c.settings["model"] = r.model.name;
    c.settings["runtime"] = r.model.runtime + (r.model.runtime_version.empty() ? "" : " " + r.model.runtime_version);
    c.metrics = r.metrics;  // those that are unknown, and why
    for (const auto& [metric, reading] : side.turns.front()) c.metrics[metric] = metric_of(side, metric);
    r.metrics = c.metrics;
    r.host = record_.host, r.strobe = record_.strobe;
    judge(r);
    for (const Finding& f : r.findings) {
      if (concerns_comparison(f)) c.findings.push_back(f);
    }
    if (&side == &sides_.front()) record_.model = r.model, record_.device = r.device, record_.settings = r.settings;
    record_.cases.push_back(std::move(c));
  }
}

void Comparing::take_turns() {
  const std::size_t per_load = (o_.rounds + o_.loads - 1) / o_.loads;
  while (rounds_done_ < o_.rounds && !stopped()) {
    if (rounds_done_ % per_load == 0) load_all();
    if (stopped()) break;
    round();
    report("comparing", rounds_done_);
  }
}

Record Comparing::run() {
  open();
  try {
    take_turns();
  } catch (const Error& e) {
    // A candidate that is lost does not take the rounds before with it.
    if (rounds_done_ == 0) throw;
    record_.status_reason = e.what(), stopped_ = true;
  }
  if (rounds_done_ == 0) throw Error(ErrorCode::interrupted, "interrupted before the first round was complete");
  describe();
  for (const auto& [metric, reading] : sides_.front().turns.front()) compare_metric(metric);
  const auto place = [&](const Comparison& c) {
    return std::find_if(sides_.begin(), sides_.end(), [&](const Side& s) { return s.name == c.b; });
  };
  std::stable_sort(record_.comparisons.begin(), record_.comparisons.end(),
                   [&](const Comparison& x, const Comparison& y) { return place(x) < place(y); });
  record_.status = rounds_done_ < o_.rounds ? Status::interrupted : Status::fixed;
  record_.settings["rounds"] = static_cast<std::int64_t>(rounds_done_);
  record_.settings["loads"] = static_cast<std::int64_t>(o_.loads);
  record_.settings["margin"] = o_.margin;
  record_.settings["workers"] = in_workers_;
  record_.settings["settle_gap_ns"] = to_double(kSettleGap);
  record_.duration_ns = to_double(clock_.now() - begin_);
  gather_findings();
  return std::move(record_);
}

}  // namespace

bool can_share_a_process(const std::vector<CandidateOptions>& all) {
  const OpenOptions& first = all.front().run.open;
  return std::all_of(all.begin(), all.end(), [&](const CandidateOptions& c) {
    const OpenOptions& o = c.run.open;
    // A thread has one current GPU, and the CPUs near it. Torch has one pool of threads and one set of precision flags
    // for the whole process.
    const bool torch = runtime_of(o) == "torch";
    return runtime_of(o) == runtime_of(first) && o.device == first.device && o.pin == first.pin &&
           (!torch || (o.options.threads == first.options.threads && o.options.settings == first.options.settings));
  });
}

Record compare(const CompareOptions& o) {
  if (o.candidates.size() + o.noise_floor < 2)
    throw Error(ErrorCode::usage, "there is nothing to compare with", "one candidate is named",
                "Name two models, or vary an option: --vary threads=1,2.");
  return Comparing(o).run();
}

}  // namespace strobe
