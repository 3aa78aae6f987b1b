// SPDX-License-Identifier: Apache-2.0
// The one figure of a record that a stranger should see first: a ratio, a best batch, a median, a count.
#pragma once

#include <optional>
#include <string>

#include <strobe/record.h>

#include "report/page/markup.h"

namespace strobe::page {

struct Headline {
  std::string label;
  Html figure, interval;
  std::string aside;
  std::string sentence = {};  // what the figure means, where it takes one
};

// Led by the median of a metric.
Headline headline_of_median(std::string label, const std::string& name, const Metric&);

// Of any record: a ratio, a median, the best point of a sweep; at least a number of cases.
std::optional<Headline> measurement_headline(const Record&);

// As the row of the verb says (report/study_view.h), else as of any record.
std::optional<Headline> headline_of(const Record&);
std::string figure_box(const Record&);

}  // namespace strobe::page
