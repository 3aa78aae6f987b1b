// SPDX-License-Identifier: Apache-2.0
// What a search found as keys and values, for reports that list all of it.
#pragma once

#include <strobe/record.h>

namespace strobe {

Scalars scalars_of(const SearchAnswer&);

}  // namespace strobe
