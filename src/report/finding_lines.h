// SPDX-License-Identifier: Apache-2.0
// What is found in several metrics at once is one thing to a reader: one line, in the words of the metric where it
// matters most, with the numbers of the others. Text, Markdown and page show findings in this way.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>

namespace strobe {

struct FindingLine {
  std::vector<const Finding*> findings;  // the one that matters most first

  const Finding& main() const { return *findings.front(); }
};

// In the order in which each was found first. A sweep and a comparison gather findings of several measurements: there
// each has its own line.
std::vector<FindingLine> finding_lines(const std::vector<const Finding*>&, const Record&);
std::vector<FindingLine> finding_lines(const Record&);  // of all its findings

// "latency rises by 4.0 % over the window: … (also device time +1.2 %)".
std::string message_of(const FindingLine&);

}  // namespace strobe
