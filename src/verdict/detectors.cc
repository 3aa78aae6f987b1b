// The detectors. Each says in one sentence what it saw, with the size of the effect, and in another what to do.
// docs/findings.md has a section for each.
#include <array>

#include <fmt/format.h>

#include "base/format.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

std::optional<Finding> one_sample(const Record& r) {
  const Metric* latency = r.find("latency");
  if (!latency || latency->n != 1) return {};
  return Finding{.id = "one-sample", .severity = Severity::invalid, .message = "there is one sample: nothing is known about how it varies",
                 .advice = "Measure more requests.", .evidence = {{"n", 1}}};
}

std::optional<Finding> too_few_samples(const Record& r) {
  const Metric* latency = r.find("latency");
  if (!latency || latency->n < 2 || (latency->n >= 20 && latency->median.bounded())) return {};
  const double n = static_cast<double>(latency->n);
  return Finding{.id = "too-few-samples", .severity = Severity::warning,
                 .message = fmt::format("there are {} samples, {}", latency->n, latency->median.bounded() ? "fewer than 20" : "too few to bound the median"),
                 .advice = "Raise --requests, or leave it out and let the run decide.", .evidence = {{"n", n}}};
}

std::optional<Finding> not_converged(const Record& r) {
  if (r.status != Status::not_converged) return {};
  const Metric* latency = r.find("latency");
  const auto width = latency ? latency->median.relative_half_width() : std::nullopt;
  return Finding{.id = "not-converged", .severity = Severity::warning,
                 .message = fmt::format("the time was up before the result was certain: {}{}", r.status_reason,
                                        width ? fmt::format(" (the median is known to ±{})", format_percent(*width)) : ""),
                 .advice = "Give it more time (--max-time), a wider --margin, or a quieter machine.",
                 .evidence = width ? std::map<std::string, double, std::less<>>{{"half_width", *width}} : std::map<std::string, double, std::less<>>{}};
}

// A workload that does not compute what it should is an invalid result, not a fast one.
std::optional<Finding> output_mismatch(const Record& r) {
  const auto& o = r.observations.outputs;
  if (!o || (o->finite && o->repeatable && o->distinct)) return {};
  const std::string what = !o->finite       ? "the outputs contain infinities or NaN"
                           : !o->repeatable ? fmt::format("the same input gave outputs that differ by {}", format_percent(o->worst_difference))
                                            : "different inputs gave equal outputs: the work may have been skipped or cached";
  // Infinities come from random inputs into models that were not made for them: doubtful, not wrong.
  return Finding{.id = "output-mismatch", .severity = o->finite ? Severity::invalid : Severity::warning, .message = what,
                 .advice = "Check the model, or feed it real inputs (--input name=file.npy).", .evidence = {{"worst_difference", o->worst_difference}}};
}

std::optional<Finding> gate_unsafe(const Record& r) {
  const auto& gate = r.observations.gate;
  if (!gate || gate->used) return {};
  return Finding{.id = "gate-unsafe", .severity = Severity::note, .message = fmt::format("device time is unknown: {}", gate->why_not),
                 .advice = "Remove the synchronisation inside the workload, or read 'span', which includes waiting for the host.", .evidence = {}};
}

std::optional<Finding> work_escaped(const Record& r) {
  const Metric* span = r.find("span");
  if (!r.observations.escaped_ns || !span) return {};
  const double escaped = *r.observations.escaped_ns, share = escaped / span->median.value;
  if (escaped <= 2 * span->facts.tick || share <= 0.01) return {};
  return Finding{.id = "work-escaped", .severity = Severity::invalid,
                 .message = fmt::format("the device still works for {} after the request's end mark ({} of span): part of the work is on another stream",
                                        format_time(escaped), format_percent(share)),
                 .advice = "Make the workload join its streams before it returns, or measure with device-wide synchronisation.",
                 .evidence = {{"escaped_ns", escaped}}};
}

// The device waits for the host. True of many good deployments, so it is advice, and no doubt about the number.
std::optional<Finding> host_bound(const Record& r) {
  const auto gap = r.gap();
  if (!gap || *gap < 0.05) return {};
  const double device = r.find("device_time")->median.value;
  return Finding{.id = "host-bound", .about = About::workload, .severity = Severity::note,
                 .message = fmt::format("the device idles {} of each request, waiting for the host", format_percent(*gap)),
                 .advice = fmt::format("Replay a graph (--graph), raise the batch, or use a compiled runtime: at most {} requests fit.", figure(1e9 / device, "items/s").plain()),
                 .evidence = {{"gap", *gap}}};
}

std::optional<Finding> debug_build(const Record& r) {
  if (r.strobe.build == "Release" || r.strobe.build == "RelWithDebInfo" || r.strobe.build.empty()) return {};
  return Finding{.id = "debug-build", .severity = Severity::note, .message = fmt::format("strobe itself is a {} build: its own overhead is larger", r.strobe.build),
                 .advice = "Use the release build (make build).", .evidence = {}};
}

constexpr std::array kDetectors{
    Detector{"one-sample", one_sample},   Detector{"too-few-samples", too_few_samples}, Detector{"not-converged", not_converged},
    Detector{"output-mismatch", output_mismatch}, Detector{"work-escaped", work_escaped}, Detector{"gate-unsafe", gate_unsafe},
    Detector{"debug-build", debug_build}, Detector{"host-bound", host_bound},
};

}  // namespace

std::span<const Detector> detectors() { return kDetectors; }

}  // namespace strobe
