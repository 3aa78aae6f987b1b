// SPDX-License-Identifier: Apache-2.0
// A search for throughput as text: the points that were tried, and what they answer.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>

#include "report/formats.h"
#include "report/text/painter.h"

namespace strobe {

// The whole text.
std::string show_search(const Record&, const RenderOptions&, const Painter&);

std::string throughput_text(const Record&);

// Parts of it that a page shows, too.
std::vector<const Case*> trials_in_order(const Record&);  // by streams, requests in flight, batch
std::string undecided_text(const Record&);  // "batch 2 (245 /s) may keep it, too: it could not be decided"; or nothing
std::string trial_text(const Case&);        // what came of it: "cannot tell (0.3 % late)"
std::string percentile_text(const Metric& latency, double percentile);  // "–" where too few samples can tell it

}  // namespace strobe
