// SPDX-License-Identifier: Apache-2.0
// Comparisons as text: what was compared, the answer, each candidate's own figures, then each metric of B against A.
#pragma once

#include <string>

#include <strobe/record.h>

#include "report/formats.h"
#include "report/text/painter.h"

namespace strobe {

// The whole text.
std::string show_comparison(const Record&, const RenderOptions&, const Painter&);

// "faster (1.8 times)", "slower (3.1 % more)", "cannot tell (needs about 50 rounds)": what a ratio means, for one
// metric.
std::string comparison_phrase(const Comparison&, const Record&);
// The outcome alone: "slower", "cannot tell (needs about 50 rounds)".
std::string comparison_word(const Comparison&, const Record&);

}  // namespace strobe
