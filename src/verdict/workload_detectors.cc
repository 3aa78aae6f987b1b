// SPDX-License-Identifier: Apache-2.0
// What was run: its inputs, its outputs, and what limits it.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/format.h"
#include "record/idle_words.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "verdict/detectors.h"

namespace strobe {

namespace {

// How much slower random inputs are that take turns, as far as it was measured.
Severity by_input_effect(const Record& r) {
  const auto ratio = r.observations.other_input_ratio;
  return ratio ? by_effect(std::fabs(*ratio - 1), r) : Severity::note;
}

std::string input_effect_text(const Record& r) {
  const auto ratio = r.observations.other_input_ratio;
  if (!ratio) return "the size of the effect is unknown";
  const double effect = *ratio - 1;
  if (std::fabs(effect) < 0.0005) return "rotating random inputs are as fast";
  return fmt::format("rotating random inputs are {} {}", format_percent(std::fabs(effect)),
                     effect > 0 ? "slower" : "faster");
}

void add_input_effect(const Record& r, Finding& f) {
  if (r.observations.other_input_ratio) f.evidence["effect"] = *r.observations.other_input_ratio - 1;
}

}  // namespace

// The compiler may remove a computation whose result nobody uses. What is left is the call, which is ours. Python
// removes nothing, but has functions that only make a generator.
std::optional<Finding> empty_callable(const Record& r) {
  constexpr double kHardlyMore = 2;
  const Metric* latency = r.find(metric::latency);
  const auto empty = r.device.calibration.find("empty_request_ns");
  if (r.model.runtime != "callable" || !latency || empty == r.device.calibration.end()) return {};
  const double median = latency->estimate.value;
  if (median >= kHardlyMore * empty->second) return {};
  return Finding{.id = "empty-callable",
                 .severity = Severity::invalid,
                 .message = fmt::format("a call takes {}, and a call that does nothing {}: there is nothing to measure",
                                        format_time(median), format_time(empty->second)),
                 .advice = fact<std::string>(r.model.facts, "python")
                               ? "Does it do what you mean? A generator that nobody iterates does nothing "
                                 "(strobe.stream does)."
                               : "Return the result from the callable, or pass it to strobe::keep: the compiler "
                                 "removes what nobody uses.",
                 .evidence = {{"latency_ns", median}, {"empty_request_ns", empty->second}}};
}

// Caches and branch predictors learn one input.
std::optional<Finding> same_input(const Record& r) {
  if (r.model.inputs.empty()) return {};
  const bool files = std::all_of(r.model.inputs.begin(), r.model.inputs.end(),
                                 [](const TensorInfo& t) { return !t.source.starts_with("random"); });
  if (!files && r.observations.input_sets.value_or(2) > 1) return {};
  Finding f{.id = "same-input",
            .severity = by_input_effect(r),
            .message = fmt::format("every request has the same input, which caches may have learned; {}",
                                   input_effect_text(r)),
            .advice = files ? "Leave --input out for at least one tensor: requests then rotate between two sets."
                            : "Take two sets of inputs (--input-sets 2) or more."};
  add_input_effect(r, f);
  return f;
}

// Zeros, ones, a grey image: with equal neighbours a device toggles fewer wires, draws less power and keeps its clock.
std::optional<Finding> low_entropy_input(const Record& r) {
  constexpr double kMost = 0.5;
  const double zeros = r.observations.input_zero_share.value_or(0),
               repeated = r.observations.input_repeated_share.value_or(0);
  if (std::max(zeros, repeated) <= kMost) return {};
  const std::string what =
      zeros > kMost ? fmt::format("{} of the input values are zero", format_percent(zeros))
                    : fmt::format("{} of the input values are one value again and again", format_percent(repeated));
  Finding f{.id = "low-entropy-input",
            .severity = by_input_effect(r),
            .message = fmt::format("{}, and such data can run faster than real data; {}", what, input_effect_text(r)),
            .advice = "Compare with random inputs (leave --input out) before you trust the result.",
            .evidence = {{"zero_share", zeros}, {"repeated_share", repeated}}};
  add_input_effect(r, f);
  return f;
}

// Random integers are 0 and 1, which every table has. But a count of steps, a length or an index decides how much is
// computed, and nobody's real values are only these two.
std::optional<Finding> small_integers(const Record& r) {
  std::vector<std::string> names;
  for (const TensorInfo& in : r.model.inputs) {
    const bool integer = in.type.starts_with('i') || in.type.starts_with('u');
    if (integer && in.source == "random") names.push_back(in.name);
  }
  if (names.empty()) return {};
  return Finding{
      .id = "small-integers",
      .severity = Severity::note,
      .message = fmt::format("the random values of the integer input{} '{}' are 0 and 1; larger ones may "
                             "mean more work (a count of steps, a length) or other memory (an index)",
                             names.size() > 1 ? "s" : "", fmt::join(names, "', '")),
      .advice = fmt::format("Give the range of your values with --input-range {0}=0..1000, say, or the values "
                            "with --input {0}=FILE.npy.",
                            names.front()),
      .evidence = {{"inputs", static_cast<double>(names.size())}}};
}

// Subnormal numbers make a CPU ten to a hundred times slower, and one NaN makes a whole output NaN.
std::optional<Finding> odd_values(const Record& r) {
  constexpr double kNoted = 0.001;  // 20 times what random halves have
  const double subnormal = r.observations.input_subnormal_share.value_or(0),
               not_finite = r.observations.input_not_finite_share.value_or(0);
  if (subnormal <= kNoted && not_finite == 0) return {};
  const std::string what = not_finite > 0
                               ? fmt::format("{} of the input values are infinite or NaN", format_percent(not_finite))
                               : fmt::format("{} of the input values are subnormal, which a CPU may compute far slower",
                                             format_percent(subnormal));
  Finding f{.id = "odd-values",
            .severity = by_input_effect(r),
            .message = fmt::format("{}; {}", what, input_effect_text(r)),
            .advice = "Check where the inputs come from; leave --input out to compare with random ones.",
            .evidence = {{"subnormal_share", subnormal}, {"not_finite_share", not_finite}}};
  add_input_effect(r, f);
  return f;
}

// A workload that does not compute what it should is an invalid result, not a fast one.
std::optional<Finding> output_mismatch(const Record& r) {
  const auto& o = r.observations.outputs;
  if (!o || (o->finite && o->repeatable && o->lasting)) return {};
  const std::string what =
      !o->repeatable ? fmt::format("the same input gave outputs that differ by {}", format_percent(o->worst_difference))
      : !o->lasting  ? fmt::format(
                          "after the last request the same input gave outputs that differ by {} from those "
                           "before the first: what was timed in between computed something else",
                          format_percent(o->late_difference))
                    : "the outputs contain infinities or NaN";
  // Infinities come from random inputs into models that were not made for them: doubtful, not wrong.
  const bool wrong = !o->repeatable || !o->lasting;
  return Finding{.id = "output-mismatch",
                 .severity = !wrong        ? Severity::warning
                             : o->may_vary ? Severity::note
                                           : Severity::invalid,
                 .message = what,
                 .advice = !o->may_vary ? "Check the model, or feed it real inputs (--input name=file.npy)."
                           : wrong      ? "Expected of dropout, of sampling and of a state that calls change (a cache, "
                                          "running statistics); such a state may also make each call another amount of "
                                          "work. Otherwise look for what writes to its own inputs."
                                        : "Check the arguments of the callable, and what it computes of them.",
                 .evidence = {{"worst_difference", o->worst_difference}, {"late_difference", o->late_difference}}};
}

// A constant, a threshold or an arg-max gives equal outputs for different inputs, and its time is right. The time is
// wrong where known inputs are answered from memory: then new ones take longer. They also touch new memory, which can
// make a request that only moves data a few times slower; skipping work is a matter of tens.
std::optional<Finding> equal_outputs(const Record& r) {
  constexpr double kDoubtful = 2, kSkipped = 10;
  const auto& o = r.observations.outputs;
  if (!o || o->distinct) return {};
  const auto& ratio = r.observations.new_input_ratio;
  const bool slower = ratio && *ratio >= kDoubtful;
  Finding f{.id = "equal-outputs",
            .severity = ratio && *ratio >= kSkipped ? Severity::invalid
                        : slower                    ? Severity::warning
                                                    : Severity::note,
            .message = fmt::format("different inputs gave equal outputs; {}",
                                   slower  ? fmt::format("inputs not seen before take {:.3g} times as long: the work "
                                                          "of known ones is skipped",
                                                         *ratio)
                                   : ratio ? "inputs not seen before take as long, so no work was skipped"
                                           : "whether work was skipped is not known"),
            .advice = slower ? "Measure with inputs that do not repeat, or disable the cache of results."
                             : "Expected of a constant, thresholded or arg-max output; otherwise check the model, or "
                               "feed it real inputs (--input name=file.npy)."};
  if (ratio) f.evidence["new_input_ratio"] = *ratio;
  return f;
}

// A batch of a search whose items are not what they are alone.
std::optional<Finding> wrong_output(const Record& r) {
  std::vector<std::string> batches;
  for (const Case& c : r.cases) {
    if (c.outcome == trial_word::wrong_output) batches.push_back(fmt::format("{}: {}", c.name, c.about));
  }
  if (batches.empty()) return {};
  return Finding{.id = "wrong-output",
                 .severity = Severity::warning,
                 .message = fmt::format("{}", fmt::join(batches, "; ")),
                 .advice = "Do not use batches of this size with this runtime.",
                 .evidence = {{"batches", static_cast<double>(batches.size())}}};
}

// The device waits for the host. True of many good deployments, so it is advice, and no doubt about the number.
std::optional<Finding> host_bound(const Record& r) {
  const auto gap = r.gap();
  if (!gap || *gap < 0.05) return {};
  const double work = r.find(metric::device_time)->estimate.value;
  return Finding{
      .id = "host-bound",
      .about = About::workload,
      .severity = Severity::note,
      .message = fmt::format("the device idles {} of each request, waiting for the host", format_percent(*gap)),
      .advice = fmt::format("{}Raise the batch, or use a compiled runtime{}.",
                            r.find(metric::replay_time) ? "" : "Replay a graph (--graph). ",
                            work > 0 ? fmt::format(": the device could do {:.0f} requests a second", 1e9 / work) : ""),
      .evidence = {{"gap", *gap}}};
}

namespace {

constexpr double kWorthAnotherStream = 0.005;  // of the device time

Finding slow_stream_finding(std::string message, double share) {
  return {.id = "slow-stream",
          .about = About::workload,
          .severity = Severity::note,
          .message = std::move(message),
          .advice = "Take another stream (--stream fast shows what that gives), or replay a graph (--graph).",
          .evidence = {{"share", share}}};
}

// Of one launch, or of several on slow streams: what another stream would give, from the pause between empty kernels.
std::optional<Finding> estimated_slow_stream(const Record& r, const Metric& time) {
  const auto& stream = r.observations.stream;
  const auto& kernels = r.observations.kernels_per_request;
  if (!stream || stream->level != "slow" || !stream->fast_pause_ns || !kernels) return {};
  const double longer = stream->pause_ns - *stream->fast_pause_ns;
  const double share = *kernels * longer / time.estimate.value;
  if (share < kWorthAnotherStream) return {};
  Finding f = slow_stream_finding(
      fmt::format("the device pauses {} longer between kernels on this stream than on {} of {} others: about {} of the "
                  "device time",
                  format_time(longer), stream->fast, stream->fast + stream->slow, format_percent(share)),
      share);
  f.evidence["longer_ns"] = longer;
  return f;
}

// Of launches on both: what was read on each.
std::optional<Finding> measured_slow_stream(const Record& r, double fast, double slow) {
  const double share = 1 - fast / slow;
  if (share < kWorthAnotherStream) return {};
  const auto& stream = r.observations.stream;
  const std::string how_many =
      stream && stream->slow > 0 ? fmt::format("; {} of {} streams are slow", stream->slow, stream->fast + stream->slow)
                                 : "";
  Finding f = slow_stream_finding(fmt::format("the device time is {} on a slow stream and {} on a fast one, {} less{}",
                                              format_time(slow), format_time(fast), format_percent(share), how_many),
                                  share);
  f.evidence["fast_ns"] = fast;
  f.evidence["slow_ns"] = slow;
  return f;
}

// Null where launches were on streams of one level, or the level made no difference.
const LaunchLevel* level_of_streams(const Metric& m, std::string_view stream) {
  const auto it =
      std::find_if(m.levels.begin(), m.levels.end(), [&](const LaunchLevel& l) { return l.stream == stream; });
  return it == m.levels.end() ? nullptr : &*it;
}

}  // namespace

// The stream was drawn by chance: another one of the same process would make a network of short kernels faster.
std::optional<Finding> slow_stream(const Record& r) {
  const Metric* time = r.find(metric::device_time);
  if (!time || time->estimate.value <= 0) return {};
  const LaunchLevel *fast = level_of_streams(*time, "fast"), *slow = level_of_streams(*time, "slow");
  return fast && slow ? measured_slow_stream(r, fast->value, slow->value) : estimated_slow_stream(r, *time);
}

namespace {

// By how much a request takes longer after this pause, where that is no chance.
double slower_after(const IdleResult& i, const Record& r) {
  constexpr double kWorthSaying = 0.05;
  const auto latency = i.metrics.find(metric::latency);
  if (!i.difference || latency == i.metrics.end() || !latency->second.known()) return 0;
  const double within = latency->second.estimate.relative_half_width().value_or(0) + tolerance(r, metric::latency);
  return *i.difference > std::max(kWorthSaying, within) ? *i.difference : 0;
}

// The shortest of those that have most of the effect; a random one only where no other has.
const IdleResult* pause_that_counts(const Record& r) {
  constexpr double kMostOfIt = 0.5;
  double largest = 0;
  for (const IdleResult& i : r.idle) largest = std::max(largest, slower_after(i, r));
  const IdleResult* shortest = nullptr;
  const auto before = [](const IdleResult& a, const IdleResult& b) {
    return a.random != b.random ? b.random : a.pause_ns < b.pause_ns;
  };
  for (const IdleResult& i : r.idle) {
    const double slower = slower_after(i, r);
    if (slower > 0 && slower >= kMostOfIt * largest && (!shortest || before(i, *shortest))) shortest = &i;
  }
  return shortest;
}

}  // namespace

// Somebody asked for these pauses: so they occur where the model is used.
std::optional<Finding> slow_after_pause(const Record& r) {
  const IdleResult* idle = pause_that_counts(r);
  if (!idle) return {};
  return Finding{
      .id = "slow-after-pause",
      .about = About::workload,
      .severity = Severity::note,
      .message = fmt::format("{} a request takes {} longer than without a pause",
                             idle_label(idle->pause_ns, idle->random), format_percent(*idle->difference)),
      .advice =
          r.device.kind == "cuda"
              ? "Hold the clock up where that matters (sudo nvidia-smi -lgc), or send requests that keep the GPU awake."
              : "Keep the machine awake where that matters: the governor 'performance', no deep idle states.",
      .evidence = {{"pause_ns", idle->pause_ns}, {"difference", *idle->difference}}};
}

}  // namespace strobe
