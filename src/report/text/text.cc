// SPDX-License-Identifier: Apache-2.0
#include "report/text/text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "record/metric_info.h"
#include "record/printable_record.h"
#include "report/search_answer.h"
#include "report/text/cases_text.h"
#include "report/text/comparison_text.h"
#include "report/text/labels.h"
#include "report/text/painter.h"
#include "report/text/pipeline_text.h"
#include "report/text/run_text.h"
#include "report/text/table.h"
#include "report/text/throughput_text.h"
#include "report/text/verdict_text.h"
#include "report/words.h"

namespace strobe {
namespace {

// Random integers are 0 and 1 unless somebody says otherwise, and may decide how much is computed: that is no detail.
std::string integer_lines(const Record& r) {
  std::string text;
  for (const TensorInfo& in : r.model.inputs) {
    const bool integer = in.type.starts_with('i') || in.type.starts_with('u');
    if (integer && in.source == "random")
      text +=
          padded("input", kLabelWidth) +
          fmt::format("'{0}' ({1}) is 0 or 1 at random; other values: --input-range {0}=0..1000\n", in.name, in.type);
  }
  return text;
}

std::string head_line(const Record& r, const Painter& p) {
  return fmt::format("{}  {}\n", p.bold(r.model.name), fmt::join(subject(r), " · ")) + integer_lines(r);
}

// What the figures of a search or a pipeline are.
std::string explained(std::initializer_list<std::string_view> metrics, std::string_view how, const Painter& p) {
  std::string text = "\n";
  for (const std::string_view m : metrics) {
    if (const MetricInfo* word = metric_info(m))
      text += padded(word->label, kLabelWidth) + p.faint(word->definition) + "\n";
  }
  return text + p.faint(how) + "\n";
}

constexpr std::string_view kRateFormula =
    "The rate is batch × Σ(completions − 1) / Σ(last − first completion) over stretches in which every queue was full: "
    "completions while queues filled or ran empty are left out at both ends.";
constexpr std::string_view kPipelineWays =
    "undisturbed: no clock but around the iteration; naive: host clock around each stage; sync: the same with a wait "
    "for the "
    "device before and after each; event: marks on the streams, read after the turn. Turns of all four alternate.";

}  // namespace

std::string render_text(const Record& record, const RenderOptions& o) {
  const Record r = printable(record);  // names and messages from outside must not forge lines of ours
  const Painter p(o.color);
  if (r.verb == "doctor")
    return doctor_table(r) + verdict_lines(r, {.verbose = true}, p);  // findings are what it is for
  if (r.verb == "selftest") return selftest_table(r);
  if (r.verb == "methods") return head_line(r, p) + methods_table(r) + verdict_lines(r, o, p);
  if (r.verb == "throughput") {
    const std::string how = o.explain ? explained({metric::throughput, metric::latency_loaded}, kRateFormula, p) : "";
    return search_sentence(r) + "\n" + verdict_lines(r, o, p) + "\n" + head_line(r, p) + throughput_text(r) + how;
  }
  if (r.verb == "compare") return comparison_table(r) + verdict_lines(r, o, p);
  // The cases of a sweep carry the names of its points, and are one row each.
  const bool swept = !r.cases.empty() && std::none_of(r.cases.begin(), r.cases.end(),
                                                      [](const Case& c) { return c.name == "undisturbed"; });
  if (r.verb == "pipeline" && !swept) {
    const std::string how =
        o.explain
            ? explained({metric::submit, metric::device_time, metric::waiting, metric::union_time}, kPipelineWays, p)
            : "";
    return head_line(r, p) + pipeline_text(r) + how + verdict_lines(r, o, p);
  }
  if (!r.cases.empty()) return head_line(r, p) + sweep_table(r) + verdict_lines(r, o, p);
  const std::string lines = r.metrics.empty() ? "nothing was measured\n" : metric_lines(r, o, p);
  return head_line(r, p) + lines + verdict_lines(r, o, p) + detail_lines(r);
}

std::string text(const Record& r) {
  return render_text(r, {});
}

}  // namespace strobe
