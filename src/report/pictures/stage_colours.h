// SPDX-License-Identifier: Apache-2.0
// A stage of a pipeline has one colour in every picture of a page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <strobe/record.h>

namespace strobe::page {

// In the order of the pipeline; a stage's place is its colour.
std::vector<std::string> stage_names(const Record&);

// The class of a shape that stands for it. There are six colours: from the seventh stage on they are paler.
std::string stage_style(std::size_t place);

}  // namespace strobe::page
