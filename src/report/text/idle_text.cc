// SPDX-License-Identifier: Apache-2.0
#include "report/text/idle_text.h"

#include "report/idle_answer.h"
#include "report/text/labels.h"
#include "report/text/table.h"

namespace strobe {

std::string idle_table(const Record& r, bool explain, const Painter& p) {
  const std::vector<IdleLine> lines = idle_lines(r);
  if (lines.empty()) return {};
  Table table("lrlrlll");
  std::string unknown;
  for (const IdleLine& l : lines) {
    if (l.unknown.empty())
      table.add({l.label, l.latency.number + " " + l.latency.unit, l.latency.interval, l.difference, l.requests,
                 l.percentiles, l.power});
    else
      unknown += l.label + "  unknown: " + l.unknown + "\n";
  }
  return table.render() + unknown + (explain ? std::string(kLabelWidth, ' ') + p.faint(kIdleDefinition) + "\n" : "");
}

}  // namespace strobe
