// SPDX-License-Identifier: Apache-2.0
#include "report/text/head_text.h"

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "record/study_info.h"
#include "report/text/labels.h"
#include "report/text/table.h"
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

}  // namespace

std::string head_line(const Record& r, const Painter& p) {
  return fmt::format("{}  {}\n", p.bold(r.model.name), fmt::join(subject(r), " · ")) + integer_lines(r);
}

std::string launches_line(const Record& r) {
  if (r.launches.empty()) return {};
  if (r.one_process)
    return padded("loads", kLabelWidth) + fmt::format("{} in one process in {}; {}\n", r.launches.size(),
                                                      format_time(r.duration_ns), kNotBetweenProcesses);
  const std::string took =
      study_info(r).answer == Answer::rate ? " of the answer" : " in " + format_time(r.duration_ns);
  return padded("launches", kLabelWidth) +
         fmt::format("{}{}; the next run's number lies inside its interval in 95 % of cases\n", r.launches.size(),
                     took);
}

std::string explained(std::initializer_list<std::string_view> metrics, std::string_view how, const Painter& p) {
  std::string text = "\n";
  for (const std::string_view m : metrics) {
    if (const MetricInfo* word = metric_info(m))
      text += padded(word->label, kLabelWidth) + p.faint(word->definition) + "\n";
  }
  return text + p.faint(how) + "\n";
}

}  // namespace strobe
