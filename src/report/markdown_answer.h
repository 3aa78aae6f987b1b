// SPDX-License-Identifier: Apache-2.0
// What a study found, as Markdown above its figures. The rows of report/study_view.cc name these.
#pragma once

#include <string>
#include <string_view>

#include <strobe/record.h>

namespace strobe {

// Text from outside must not end the table or start markup.
std::string escaped_cell(std::string_view text);

std::string no_markdown(const Record&);  // the figures are the answer
std::string methods_markdown(const Record&);
std::string search_markdown(const Record&);
std::string comparison_markdown(const Record&);  // the answer, what became of the conditions, and every ratio
std::string profile_markdown(const Record&);
std::string memory_markdown(const Record&);
std::string pipeline_markdown(const Record&);  // what each method costs, what overlapping wins, bottleneck and lanes

}  // namespace strobe
