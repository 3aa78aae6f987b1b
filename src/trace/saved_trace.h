// SPDX-License-Identifier: Apache-2.0
// What was recorded of some requests as a file: raw enough that everything that follows (joining, placing, dividing)
// can be done again elsewhere, with no device. For looking into a recording, and for tests on recordings of real GPUs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace/recording.h"

namespace strobe::trace {

struct SavedTrace {
  Recording recording;
  std::vector<Interval> windows;               // of the requests, on the host's clock
  std::vector<std::vector<LayerCall>> layers;  // of each request, from its begin on; may be empty
};

std::string trace_json(const SavedTrace&);
// Throws Error where it is not such a file, or of another version.
SavedTrace parse_trace(std::string_view json);

std::vector<RequestTrace> requests_of(const SavedTrace&);

}  // namespace strobe::trace
