// SPDX-License-Identifier: Apache-2.0
// Every picture a page may have, each made from the part of a record that it shows; nothing where there is nothing to
// show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "report/pictures/plot.h"

namespace strobe::page {

// A metric over time; what was sampled beside the run under it, on the same time axis.
std::optional<Plot> time_series(const std::string& name, const Metric&, const Telemetry&);
std::optional<Plot> histogram(const std::string& name, const Metric&);
std::optional<Plot> distribution(const std::string& name, const Metric&);

// Of records with several results.
std::vector<Plot> method_ratios(const Record&);  // one for each metric that methods are taken for
std::vector<Plot> case_curves(const Record&);
std::optional<Plot> idle_latency(const Record&);     // after pauses, against their lengths
std::optional<Plot> window_energies(const Record&);  // joules of a request in each
std::optional<Plot> rate_latency(const Record&);
std::optional<Plot> forest(const Record&);
std::optional<Plot> launches(const Record&);
std::optional<Plot> uncertainty(const Record&);       // of the next launch: what each source adds
std::optional<Plot> layer_bars(const Record&);        // the hottest layers of a profile
std::optional<Plot> type_bars(const Record&);         // the same by their type
std::optional<Plot> memory_over_time(const Record&);  // phase by phase
std::optional<Plot> memory_bars(const Record&);       // by what it is for
std::optional<Plot> timeline(const Record&);
std::optional<Plot> overlap(const Record&);      // the same of iterations in flight
std::optional<Plot> stage_split(const Record&);  // how long each stage takes, as the pipeline runs
std::optional<Plot> stages(const Record&);       // the same by each method

}  // namespace strobe::page
