// SPDX-License-Identifier: Apache-2.0
// What Strobe knows of each metric: one row of one table. Order, labels, units, definitions and the direction that
// counts as better come from here and nowhere else; a metric that is not in the table is somebody else's, and is shown
// by its own name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <strobe/record.h>

#include "record/metric_names.h"

namespace strobe {

enum class MetricKind {
  sample,  // one value a request: it has percentiles
  rate,    // of a whole stretch of requests
  gauge,   // a level, such as memory
};
enum class Better { less, more };
enum class Transfer { none, in, out };  // to the device, from it

struct MetricInfo {
  std::string_view name;   // in records and options
  std::string_view label;  // begins a line of text: at most 12 characters
  std::string_view unit;   // ns, items/s, bytes, J, items/J, W
  MetricKind kind = MetricKind::sample;
  Better better = Better::less;
  std::string_view definition;  // one sentence
  Transfer transfer = Transfer::none;
  bool pageable = false;    // a transfer from or to memory of the host that is not pinned
  bool explained = false;   // a run shows it with --explain only
  bool of_device = false;   // the device alone decides it, however slow the host is
  bool full_queue = false;  // whoever is slower decides it, the host or the device
};

// In the order in which reports show them.
std::span<const MetricInfo> all_metrics();
const MetricInfo* metric_info(std::string_view name);  // null: not one of ours
std::size_t metric_order(std::string_view name);       // foreign ones come last
MetricKind metric_kind(std::string_view name);         // a foreign metric is taken for sampled
std::string metric_label(std::string_view name);       // of a foreign one its name

bool less_is_better(std::string_view metric);  // a foreign metric is taken for a time

// How a change is called: faster and slower; of a gauge smaller and larger.
struct ChangeWords {
  std::string_view better, worse;
};
ChangeWords change_words(std::string_view metric);
bool is_better(const Comparison&);
bool is_worse(const Comparison&);

}  // namespace strobe
