// SPDX-License-Identifier: Apache-2.0
// The parts of a page about one record, in the order in which they stand on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>

#include "report/pictures/plot.h"

namespace strobe::page {

// Where a record stands on the page: how deep its headings are, which numbers its figures get.
struct Outline {
  int level = 1;  // of the record's own heading
  int figures = 0;

  std::string heading(int below, std::string_view words) const;  // `below` levels under the record's heading
  std::string draw(const Plot&, PlotPlace = PlotPlace::column);
};

std::string capitalised(std::string_view);
std::string section(const Outline&, std::string_view title, const std::string& body);  // nothing without a body

// Pictures side by side where the page is wide enough, in columns that end together; one that would stand alone has its
// table beside it.
std::string lay_out(const std::vector<Plot>&, Outline&);

// The figure, the verdict, what was run on what.
std::string head_section(const Record&, const Outline&);
// What carries the answer: of a run its series, of a study its own pictures.
std::string pictures_section(const Record&, Outline&);
std::string findings_section(const Record&, const Outline&);
// Every metric in a row, with its intervals.
std::string figures_section(const Record&, const Outline&);
// What a record with several results found: its tables, and pictures for a second look.
std::string study_section(const Record&, Outline&);
// Each other metric over time and as a distribution.
std::string series_section(const Record&, Outline&);
std::string environment_section(const Record&, const Outline&);
// The record itself, in the page and to be saved.
std::string record_section(const Record&, const Outline&, int number);

}  // namespace strobe::page
