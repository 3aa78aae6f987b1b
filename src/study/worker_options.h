// SPDX-License-Identifier: Apache-2.0
// How a worker is told what to run: the options that were given, as JSON, from the tables of options.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "study/methods.h"
#include "study/run.h"

namespace strobe {

// {"model": {…}}: the model and its options; {"launch": N} where the process is not the first of its study,
// {"prefers_stream": "fast"} where it should take one.
nlohmann::json worker_options(const OpenOptions&);
// Also how to measure it, {"measure": {…}}; not where the samples go: each process would write over the others' file.
nlohmann::json worker_options(const OpenOptions&, const Options&);
// One launch of several.
nlohmann::json worker_options(const RunOptions&);

// One launch of several.
nlohmann::json worker_options(const MethodsPlan&);

// The worker's end. Throws Error (usage) for an option that there is not.
RunOptions run_options(const nlohmann::json&);
MethodsPlan methods_options(const nlohmann::json&);

}  // namespace strobe
