// Comparisons as text: each candidate's own figures, then what B is against A.
#pragma once

#include <string>

#include <strobe/record.h>

namespace strobe {

std::string comparison_table(const Record&);

// "faster (1.8 times)", "slower (3.1 % more)", "cannot tell (needs about 50 rounds)": what a ratio means, for one
// metric.
std::string comparison_phrase(const Comparison&, const Record&);

}  // namespace strobe
