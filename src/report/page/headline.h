// SPDX-License-Identifier: Apache-2.0
// The one figure of a record that a stranger should see first: a ratio, a best batch, a median, a count.
#pragma once

#include <string>

#include <strobe/record.h>

namespace strobe::page {

std::string figure_box(const Record&);

}  // namespace strobe::page
