// What was run: its inputs, its outputs, and what limits it.
#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "verdict/detectors.h"

namespace strobe {

// Caches and branch predictors learn one input; how much that helps is not known without others, so it is a note.
std::optional<Finding> same_input(const Record& r) {
  if (r.model.inputs.empty()) return {};
  const bool files = std::all_of(r.model.inputs.begin(), r.model.inputs.end(),
                                 [](const TensorInfo& t) { return !t.source.starts_with("random"); });
  if (!files && r.observations.input_sets.value_or(2) > 1) return {};
  return Finding{.id = "same-input",
                 .severity = Severity::note,
                 .message = "every request has the same input: caches may know it by heart",
                 .advice = "Leave --input out for one tensor at least, and requests take turns with two sets."};
}

std::optional<Finding> low_entropy_input(const Record& r) {
  constexpr double kMostlyZero = 0.5;
  const double zeros = r.observations.input_zero_share.value_or(0);
  if (zeros <= kMostlyZero) return {};
  return Finding{
      .id = "low-entropy-input",
      .severity = Severity::note,
      .message = fmt::format(
          "{} of the input values are zero: data like that can run faster and draw less power than real data",
          format_percent(zeros)),
      .advice = "Compare with random inputs (leave --input out) before you trust the figure.",
      .evidence = {{"zero_share", zeros}}};
}

// A workload that does not compute what it should is an invalid result, not a fast one.
std::optional<Finding> output_mismatch(const Record& r) {
  const auto& o = r.observations.outputs;
  if (!o || (o->finite && o->repeatable && o->distinct)) return {};
  const std::string what =
      !o->repeatable ? fmt::format("the same input gave outputs that differ by {}", format_percent(o->worst_difference))
      : !o->distinct ? "different inputs gave equal outputs: the work may have been skipped or cached"
                     : "the outputs contain infinities or NaN";
  // Infinities come from random inputs into models that were not made for them: doubtful, not wrong.
  const bool wrong = !o->repeatable || !o->distinct;
  return Finding{.id = "output-mismatch",
                 .severity = wrong ? Severity::invalid : Severity::warning,
                 .message = what,
                 .advice = "Check the model, or feed it real inputs (--input name=file.npy).",
                 .evidence = {{"worst_difference", o->worst_difference}}};
}

// The device waits for the host. True of many good deployments, so it is advice, and no doubt about the number.
std::optional<Finding> host_bound(const Record& r) {
  const auto gap = r.gap();
  if (!gap || *gap < 0.05) return {};
  const double work = r.find("device_time")->median.value;
  return Finding{
      .id = "host-bound",
      .about = About::workload,
      .severity = Severity::note,
      .message = fmt::format("the device idles {} of each request, waiting for the host", format_percent(*gap)),
      .advice =
          fmt::format("{}Raise the batch, or use a compiled runtime: the device could do {:.0f} requests a second.",
                      r.find("replay_time") ? "" : "Replay a graph (--graph). ", 1e9 / work),
      .evidence = {{"gap", *gap}}};
}

}  // namespace strobe
