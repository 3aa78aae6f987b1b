// SPDX-License-Identifier: Apache-2.0
// What is special about the page of one kind of study. The rows of report/study_view.cc name these.
#pragma once

#include <optional>
#include <string>

#include <strobe/record.h>

#include "report/page/headline.h"
#include "report/page/sections.h"

namespace strobe::page {

// Nothing where the record has none: then there is one of any record.
std::optional<Headline> methods_headline(const Record&);
std::optional<Headline> search_headline(const Record&);
std::optional<Headline> pipeline_headline(const Record&);
std::optional<Headline> profile_headline(const Record&);
std::optional<Headline> memory_headline(const Record&);
std::optional<Headline> doctor_headline(const Record&);
std::optional<Headline> selftest_headline(const Record&);

// What carries the answer.
std::string measurement_pictures(const Record&, Outline&);
std::string methods_pictures(const Record&, Outline&);
std::string search_pictures(const Record&, Outline&);
std::string profile_pictures(const Record&, Outline&);
std::string memory_pictures(const Record&, Outline&);

// Below the findings.
std::string measurement_tables(const Record&, Outline&);
std::string search_tables(const Record&, Outline&);
std::string methods_tables(const Record&, Outline&);  // the lines that listings print
std::string memory_tables(const Record&, Outline&);
std::string profile_tables(const Record&, Outline&);  // layers and kernels, all of them
std::string doctor_tables(const Record&, Outline&);
std::string selftest_tables(const Record&, Outline&);

std::string nothing(const Record&, Outline&);

}  // namespace strobe::page
