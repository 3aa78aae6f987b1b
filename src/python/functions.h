// SPDX-License-Identifier: Apache-2.0
// The functions of the extension `strobe._strobe`, by what they measure. They take what strobe/*.py has sorted: options
// as dictionaries whose names are in `keyword_tables`, and hooks that may be None.
#pragma once

#include <nanobind/nanobind.h>

namespace strobe::python {

void add_record(nanobind::module_&);     // Record, and what makes one of a file
void add_callables(nanobind::module_&);  // measure, measure_fresh, pipeline
void add_batches(nanobind::module_&);    // throughput of callables
void add_studies(nanobind::module_&);    // run, methods, throughput, compare

}  // namespace strobe::python
