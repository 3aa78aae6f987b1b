// SPDX-License-Identifier: Apache-2.0
// What Python saw of a callable and of torch while it was measured.
#include <fmt/format.h>

#include "base/format.h"
#include "record/scalars.h"
#include "verdict/detectors.h"
#include "verdict/judge.h"

namespace strobe {

// Of a module of torch: dropout draws random numbers, and batch norms compute what they would only look up. It is what
// was asked for, so it is no doubt about the number.
std::optional<Finding> training_mode(const Record& r) {
  if (!fact<bool>(r.model.facts, "training").value_or(false)) return {};
  return Finding{.id = "training-mode",
                 .about = About::workload,
                 .severity = Severity::warning,
                 .message = "the module is in training mode, in which dropout and batch norms do other work",
                 .advice = "Call eval() of the module before it is measured."};
}

// Functions of torch run as they are: nobody knows whether their gradients are wanted.
std::optional<Finding> autograd_on(const Record& r) {
  if (!fact<bool>(r.model.facts, "autograd").value_or(false)) return {};
  return Finding{.id = "autograd-on",
                 .about = About::workload,
                 .severity = Severity::warning,
                 .message = "the result requires gradients: each call also builds the graph for a backward pass",
                 .advice = "Call the function under torch.inference_mode(), or measure the module itself."};
}

// torch.compile specialises on shapes and flags: what changes from call to call is compiled anew each time.
std::optional<Finding> compiled_meanwhile(const Record& r) {
  const auto graphs = fact<std::int64_t>(r.model.facts, "compiled_meanwhile").value_or(0);
  if (graphs == 0) return {};
  return Finding{.id = "compiled-meanwhile",
                 .severity = Severity::warning,
                 .message = fmt::format("torch.compile compiled {} {} while requests were timed", graphs,
                                        graphs == 1 ? "graph" : "graphs"),
                 .advice = "Call it with every shape beforehand, or compile with dynamic=True.",
                 .evidence = {{"graphs", static_cast<double>(graphs)}}};
}

// Memory is given back and asked for again: a wait for the whole device, also behind a gate.
std::optional<Finding> allocator_retries(const Record& r) {
  const auto retries = fact<std::int64_t>(r.model.facts, "allocator_retries").value_or(0);
  if (retries == 0) return {};
  return Finding{
      .id = "allocator-retries",
      .severity = Severity::warning,
      .message = fmt::format("torch's allocator ran out of memory {} {} while requests were timed: it waited "
                             "for the device, and gave memory back",
                             retries, retries == 1 ? "time" : "times"),
      .advice = "Free other tensors first, or take a smaller batch.",
      .evidence = {{"retries", static_cast<double>(retries)}}};
}

// The choice depends on timings of the first calls, so the next start of the program may choose otherwise.
std::optional<Finding> cudnn_benchmark(const Record& r) {
  if (!fact<bool>(r.model.facts, "cudnn_benchmark").value_or(false)) return {};
  return Finding{.id = "cudnn-benchmark",
                 .about = About::workload,
                 .message =
                     "cuDNN chose its algorithms by timing them (torch.backends.cudnn.benchmark): another start of "
                     "the program may choose others",
                 .advice = "Compare several starts: strobe.measure(\"module:make\")."};
}

// They hold the GIL for parts of that time: up to all of it is in the requests.
std::optional<Finding> other_threads(const Record& r) {
  const auto threads = fact<std::int64_t>(r.model.facts, "other_threads").value_or(0);
  const auto ns = fact<std::int64_t>(r.model.facts, "other_threads_ns").value_or(0);
  if (threads == 0 || r.window_ns <= 0) return {};
  const double share = static_cast<double>(ns) / r.window_ns;
  return Finding{.id = "other-threads",
                 .severity = by_effect_on_host(share, r),
                 .message = fmt::format("{} of Python worked beside the requests, for {} of the time",
                                        threads == 1 ? "another thread" : fmt::format("{} other threads", threads),
                                        format_percent(share)),
                 .advice = "Measure where no other thread works: they share the interpreter's lock.",
                 .evidence = {{"threads", static_cast<double>(threads)}, {"effect", share}}};
}

}  // namespace strobe
