// SPDX-License-Identifier: Apache-2.0
// Words that every report uses: titles of metrics, settings as text, what was run on what.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>

#include "base/format.h"

namespace strobe {

std::string scalar_text(const Scalar&);
std::string setting(const Scalars&, std::string_view key);  // empty when it is not there
std::string title_of(std::string_view metric);              // "device time"; a foreign one by its own name
std::string full_title(std::string_view metric);            // never shortened: "replay latency"
// One sentence: ours, or what the tool calls so whose times are audited. Empty of a metric that nobody defined.
std::string_view definition_of(std::string_view metric, const Record&);
std::string relative_text(double change);  // "+1.9 %"
std::string difference_text(const Case&);  // "+1.9 %"; empty when there is none
std::string percentile_label(double p);    // "p99.9"

// The parts of a head line after the model's name: batch, shape, runtime, device, threads.
std::vector<std::string> subject(const Record&);

// Of the inputs that requests rotate over: "inputs hot in L2", "212 input sets beyond L2"; empty: nothing to say.
std::string inputs_text(const Record&);

// What a page is about: the model, the candidates of a comparison, or the verb.
std::string name_of(const Record&);

// Metrics in the order in which reports show them, and comparisons in that of their metrics.
std::vector<const Metrics::value_type*> in_order(const Metrics&);
std::vector<Comparison> in_order(std::vector<Comparison>);
// The one to begin with: the first in that order that is no noise floor, if any. There must be one.
Comparison leading(const std::vector<Comparison>&);

// Of loads in one process, wherever their intervals are shown.
inline constexpr std::string_view kNotBetweenProcesses = "what differs between processes is not in the interval";
// "5 launches", "5 loads in one process"; empty of a record of one launch.
std::string launches_phrase(const Record&);

// Of a copy: "0.6 MB, 40.1 GB/s (73 % of this machine's 55.0), 2.5 % of end to end"; empty of any other metric.
std::string copy_text(std::string_view metric, const Record&);

// With as many digits as its interval needs.
inline Figure figure(const Estimate& e, std::string_view unit) {
  return figure(e.value, unit, e.low, e.high);
}

// Null when it is absent or unknown.
const Metric* known_metric(const Metrics&, std::string_view name);

}  // namespace strobe
