#include "study/throughput.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "record/scalars.h"
#include "study/batch_search.h"
#include "study/bound_search.h"
#include "study/new_record.h"
#include "study/trials.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

constexpr double kReserve = 0.97;  // of the predicted largest batch: predictions are lines through two points

class Study {
 public:
  explicit Study(const ThroughputOptions& o)
      : o_(o), record_(new_record("throughput")), trials_(o_, record_), limit_(trials_.host_limit) {}

  Record run();

 private:
  // The first trial tells what the model is; it may have a batch of its own.
  void open();
  std::optional<Case> first_trial(std::int64_t batch);
  Case first_that_runs();
  void search();
  bool is_a_wave(std::int64_t batch, std::size_t trials_left);
  void find_largest(const BatchSearch&);
  void soak(std::int64_t batch, const LargestBatch&);
  void other_points();
  void within_bound();
  void name_undecided(double proven);
  void try_within_bound(std::size_t streams);
  void notice_fixed_batch();
  std::string left_open() const;
  void doubt_the_answer();
  void take_figures_of(const Case&);
  TrialPoint point(std::int64_t batch) const { return {batch, o_.streams.front(), in_flight_.front(), o_.copies}; }
  void finish();

  const ThroughputOptions& o_;
  Record record_;
  Trials trials_;
  std::optional<std::uint64_t> limit_;  // bytes that batches have to fit into
  std::vector<std::size_t> in_flight_;
  bool has_batch_ = true;
};

// The model's first trial; nothing where it does not take such a batch at all.
std::optional<Case> Study::first_trial(std::int64_t batch) {
  try {
    trials_.smallest = batch;
    Case c = trials_.run(point(batch));
    trials_.opened = c.outcome == kFits;
    return c;
  } catch (const Error& e) {
    if (e.code() != ErrorCode::usage) throw;
    record_.answer.emplace("fixed_batch", e.cause().empty() ? std::string(e.what()) : e.cause());
    return std::nullopt;
  }
}

// Packages that were compiled for any batch often begin with 2; other models have one batch of their own, or none.
Case Study::first_that_runs() {
  std::vector<std::int64_t> batches = o_.batches.empty() ? std::vector<std::int64_t>{1, 2} : o_.batches;
  std::sort(batches.begin(), batches.end());
  std::optional<Case> first;
  for (const std::int64_t batch : batches) {
    const auto c = first_trial(batch);
    if (c && (!first || c->outcome == kFits)) first = c;
    if (trials_.opened || (first && o_.batches.empty())) break;
  }
  const bool only_guessed =
      o_.batches.empty() && trials_.smallest == 2;  // a model of two items, or of any number from two on
  if (first && !(only_guessed && trials_.opened && trials_.run(point(4)).outcome == "unsupported")) {
    record_.answer.erase("fixed_batch");
    return *first;
  }
  trials_.smallest = 1, has_batch_ = trials_.opened = false;
  trials_.forget();
  return trials_.run(point(0));
}

void Study::open() {
  // Fewer answer sooner: a bound asks for all of them, the highest rate alone only for enough.
  in_flight_ = !o_.in_flight.empty() ? o_.in_flight
               : o_.bound            ? std::vector<std::size_t>{1, 2, 4}
                                     : std::vector<std::size_t>{4};
  const Case first = first_that_runs();
  trials_.opened = true;
  if (first.outcome != kFits)
    throw Error(ErrorCode::failed, "cannot run a single request", first.error.empty() ? first.about : first.error);
  if (!record_.device.asynchronous) in_flight_ = {1};
  if (const auto own = fact<std::int64_t>(first.answer, "memory_available"))
    limit_ = static_cast<std::uint64_t>(*own);  // a device with memory of its own
}

// A machine that changes its speed between two trials makes a step, too: it must be there twice.
bool Study::is_a_wave(std::int64_t batch, std::size_t trials_left) {
  if (trials_left == 0) return false;
  const auto beyond = rate_of(trials_.run(point(batch + 1)));
  const auto at = rate_of(trials_left > 1 ? trials_.run(point(batch)) : trials_.tried(point(batch)));
  return at && beyond && *beyond < kNearBest * *at;
}

void Study::search() {
  const RateOf rate = [&](std::int64_t b) -> BatchRate {
    const Case c = trials_.tried(point(b));
    return {rate_of(c), c.outcome == "out-of-memory" || c.outcome == "unsupported"};
  };
  BatchSearch s = !has_batch_          ? judge_batches(rate, {0})
                  : o_.batches.empty() ? search_batch(rate, trials_.smallest)
                                       : judge_batches(rate, o_.batches);
  if (!s.best) return;
  notice_fixed_batch();
  const bool varies = !record_.answer.contains("fixed_batch");
  if (varies) record_.answer["best_batch"] = *s.best, record_.answer["fastest_batch"] = *s.fastest;
  const std::size_t before = record_.cases.size();
  if (s.wave && is_a_wave(*s.wave, s.edges_left)) record_.answer["wave"] = *s.wave;
  record_.answer["batch_trials"] = static_cast<std::int64_t>(s.trials + record_.cases.size() - before);
  if (const auto cost = fit_cost(s.rates)) {
    record_.answer["most_items_per_second"] = 1 / cost->seconds_per_item;
    if (cost->fixed_seconds > 0) record_.answer["half_rate_batch"] = cost->fixed_seconds / cost->seconds_per_item;
  }
  if (const Case* best = trials_.known(point(*s.best))) take_figures_of(*best);
  if (varies && o_.largest && o_.batches.empty()) find_largest(s);
}

// Those of the record are those of its answer.
void Study::take_figures_of(const Case& c) {
  for (const char* name : {"throughput", "latency_loaded", "memory"}) record_.metrics[name] = c.metrics.at(name);
  trials_.describe_surroundings(c);
}

// One item runs, two are refused: its batch is written into the model.
void Study::notice_fixed_batch() {
  const Case *one = nullptr, *two = nullptr;
  bool others = false;
  for (const Case& c : record_.cases) {
    const auto batch = fact<std::int64_t>(c.settings, "batch");
    if (batch == 1 && c.outcome == kFits) one = &c;
    if (batch == 2 && c.outcome == "unsupported") two = &c;
    others = others || (batch != 1 && c.outcome == kFits);
  }
  if (!one || !two || others) return;
  const std::size_t colon = two->error.find(": ");  // the cause follows it
  record_.answer["fixed_batch"] = colon == std::string::npos ? two->error : two->error.substr(colon + 2);
}

// Memory grows by a line in the batch; where that line meets the limit is a good guess.
std::optional<std::int64_t> predicted_largest(const std::vector<Case>& cases, double limit) {
  std::map<std::int64_t, double> memory;
  for (const Case& c : cases) {
    if (c.outcome == kFits && memory_of(c) && c.metrics.contains("throughput"))
      memory[*fact<std::int64_t>(c.settings, "batch")] = *memory_of(c);
  }
  if (memory.size() < 2) return std::nullopt;
  const auto& [b1, m1] = *std::prev(memory.end(), 2);
  const auto& [b2, m2] = *memory.rbegin();
  const double slope = (m2 - m1) / static_cast<double>(b2 - b1);
  if (!(slope > 0)) return std::nullopt;
  return static_cast<std::int64_t>(kReserve * (static_cast<double>(b2) + (limit - m2) / slope));
}

// A request that takes longer than a whole trial may is not tried only to see whether it fits.
void Study::find_largest(const BatchSearch& s) {
  if (!limit_) return;
  std::int64_t most = s.rates.rbegin()->first;
  const auto predicted = predicted_largest(record_.cases, static_cast<double>(*limit_));
  if (predicted) record_.answer["predicted_largest"] = *predicted;
  const double seconds_per_item = 1 / s.rates.rbegin()->second;
  if (predicted && static_cast<double>(*predicted) * seconds_per_item > o_.longest_seconds) {
    record_.answer["largest_state"] =
        fmt::format("at least {}; not searched: a request of the predicted {} items would take {:.0f} s", most,
                    *predicted, static_cast<double>(*predicted) * seconds_per_item);
    return;
  }
  const auto fits = [&](std::int64_t b) { return trials_.run(point(b), Purpose::fit).outcome == kFits; };
  const auto predict = [&] { return predicted_largest(record_.cases, static_cast<double>(*limit_)); };
  const LargestBatch l = search_largest(fits, most, s.fails_at, predict);
  soak(l.fits, l);
}

// A batch that fits once may not fit for long.
void Study::soak(std::int64_t batch, const LargestBatch& l) {
  for (int attempt = 0; attempt < 4 && batch >= trials_.smallest; ++attempt, batch = batch * 19 / 20) {
    const Case c = trials_.run(point(batch), Purpose::soak);
    if (c.outcome != kFits) continue;
    record_.answer["largest_batch"] = batch;
    record_.answer["largest_state"] = fmt::format("confirmed by {:g} s without a break{}", o_.soak_seconds,
                                                  l.fails ? "" : "; no larger one that fails was met");
    if (l.fails) {
      record_.answer["fails_at"] = *l.fails;
      for (const Case& failed : record_.cases) {
        if (failed.outcome != kFits && fact<std::int64_t>(failed.settings, "batch") == *l.fails)
          record_.answer["fails_because"] = failed.outcome + (failed.error.empty() ? "" : ": " + failed.error);
      }
    }
    if (memory_of(c) && limit_)
      record_.answer["reserve_bytes"] = static_cast<std::int64_t>(static_cast<double>(*limit_) - *memory_of(c));
    return;
  }
  record_.answer["largest_state"] = std::string("not confirmed: batches that fit once did not fit for long");
}

// Streams and requests in flight that were asked for, at the best batch.
void Study::other_points() {
  const auto best = fact<std::int64_t>(record_.answer, "best_batch").value_or(has_batch_ ? 1 : 0);
  for (const std::size_t streams : o_.streams) {
    for (const std::size_t in_flight : in_flight_) {
      const TrialPoint p{best, streams, in_flight, o_.copies};
      if (!trials_.known(p)) trials_.run(p);
    }
  }
  const Case* fastest = nullptr;
  for (const Case& c : record_.cases) {
    if (rate_of(c) && (!fastest || *rate_of(c) > *rate_of(*fastest))) fastest = &c;
  }
  if (fastest && (o_.streams.size() > 1 || in_flight_.size() > 1)) record_.answer["fastest"] = fastest->name;
}

// With more requests outstanding each waits for those before it, so the batch has to be about as much smaller.
void Study::try_within_bound(std::size_t streams) {
  std::int64_t held = 2 * trials_.smallest;  // batch times requests outstanding, at the point before
  for (const std::size_t in_flight : in_flight_) {
    const auto seems_kept = [&](std::int64_t batch) {
      return seems_met(trials_.tried({batch, streams, in_flight, o_.copies}), o_.bound->percentile);
    };
    if (!has_batch_ || !o_.batches.empty()) {
      for (const std::int64_t b : has_batch_ ? o_.batches : std::vector<std::int64_t>{0}) seems_kept(b);
      continue;
    }
    const auto depth = static_cast<std::int64_t>(in_flight);
    const std::int64_t largest = search_bounded(seems_kept, held / depth / 2, trials_.smallest);
    held = std::max(2 * trials_.smallest, depth * largest);
  }
}

// The fastest point that seems to keep the bound, is faster than the one that does, and could not be decided.
void Study::name_undecided(double proven) {
  const auto decided = [&](const std::string& name) {
    return std::any_of(record_.cases.begin(), record_.cases.end(), [&](const Case& c) {
      return c.name == name && fact<std::string>(c.answer, "bound") != "cannot-tell";
    });
  };
  double fastest = proven;
  for (const Case& c : record_.cases) {
    if (!seems_met(c, o_.bound->percentile) || decided(c.name) || rate_of(c).value_or(0) <= fastest) continue;
    fastest = *rate_of(c);
    record_.answer["bound_undecided"] = c.name;
    record_.answer["bound_undecided_rate"] = fastest;
  }
}

void Study::within_bound() {
  for (const std::size_t streams : o_.streams) try_within_bound(streams);
  notice_fixed_batch();
  const std::vector<Case> tried = record_.cases;
  std::vector<BoundedPoint> points;
  bool doubt = false;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const Case& c = tried[i];
    if (seems_met(c, o_.bound->percentile)) points.push_back({i, rate_of(c).value_or(0), met(c)});
    doubt = doubt || (c.outcome == kFits && fact<std::string>(c.answer, "bound") != "not-met");
  }
  // The best of many is lucky by selection: it must keep the bound again, in another process.
  for (const BoundedPoint& best : confirmation_order(std::move(points))) {
    const Case& c = tried[best.index];
    const TrialPoint p = point_of(c, o_.copies);
    const Case again = trials_.run(p, best.proven ? Purpose::rate : Purpose::proof);
    record_.cases.back().about = "once more, because the best of many is lucky";
    if (!met(again)) continue;
    record_.answer["bound"] = std::string("met");
    record_.answer["bound_point"] = c.name;
    record_.answer["bound_batch"] = p.batch;
    name_undecided(rate_of(again).value_or(0));
    take_figures_of(record_.cases.back());
    return;
  }
  record_.answer["bound"] = std::string(doubt ? "cannot-tell" : "not-met");
}

// A trial that looks for a bound ends when that is decided; any other goes on until its rate is known. Empty: nothing
// is left open.
std::string Study::left_open() const {
  if (o_.bound)
    return fact<std::string>(record_.answer, "bound") == "cannot-tell" ? "the bound could not be decided" : "";
  const Metric* rate = record_.find("throughput");
  if (!rate) return {};
  const auto width = rate->median.relative_half_width();
  if (!width) return "too few requests were made to know how certain the best rate is";
  if (*width <= o_.margin + 1e-4) return {};
  return fmt::format("the best rate is known to ±{} only, ±{} were asked for", format_percent(*width),
                     format_percent(o_.margin));
}

void Study::doubt_the_answer() {
  const std::string open = left_open();
  if (open.empty() || record_.status == Status::interrupted) return;
  record_.status = Status::not_converged;
  record_.status_reason = open;
}

void Study::finish() {
  record_.settings["shortest_ns"] = o_.shortest_seconds * 1e9;
  record_.settings["longest_ns"] = o_.longest_seconds * 1e9;
  record_.settings["margin"] = o_.margin;
  if (limit_) record_.settings["memory_limit_bytes"] = static_cast<std::int64_t>(*limit_);
  if (o_.bound)
    record_.settings["max_latency_ns"] = o_.bound->limit_ns, record_.settings["percentile"] = o_.bound->percentile;
  record_.duration_ns = to_double(trials_.elapsed());
  doubt_the_answer();
  judge(record_);
}

Record Study::run() {
  try {
    open();
    if (o_.bound) {
      within_bound();
    } else {
      search();
      other_points();
    }
    record_.status = Status::fixed;
  } catch (const Error& e) {
    // What was tried before is worth having.
    const bool any = std::any_of(record_.cases.begin(), record_.cases.end(), [](const Case& c) { return rate_of(c); });
    if (!any) throw;
    record_.status = Status::interrupted;
    if (e.code() != ErrorCode::interrupted) record_.status_reason = e.what();
  }
  finish();
  return std::move(record_);
}

}  // namespace

Record throughput(const ThroughputOptions& o) {
  return Study(o).run();
}

}  // namespace strobe
