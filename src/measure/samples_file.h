// SPDX-License-Identifier: Apache-2.0
// Every time stamp of a measurement as columns, for people who want to do their own analysis.
#pragma once

#include <string>

#include "measure/measurement.h"

namespace strobe {

std::string samples_csv(const Measurement&);

}  // namespace strobe
