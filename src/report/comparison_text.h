// Comparisons as text: each candidate's own figures, then what B is against A.
#pragma once

#include <string>

#include <strobe/record.h>

namespace strobe {

std::string comparison_table(const Record&);

// "1.8 times as fast", "3.1 % slower": what a ratio means, for one metric.
std::string comparison_phrase(const Comparison&);

}  // namespace strobe
