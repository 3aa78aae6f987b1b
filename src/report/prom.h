// SPDX-License-Identifier: Apache-2.0
// Records as gauges in Prometheus' text format, for a collector that reads files or scrapes them.
#pragma once

#include <span>
#include <string>

#include <strobe/record.h>

namespace strobe {

std::string prom_of(std::span<const Record>);

}  // namespace strobe
