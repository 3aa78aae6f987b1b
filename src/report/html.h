// SPDX-License-Identifier: Apache-2.0
// Records as one page that brings everything along: no network, no script of others, readable on a phone and on paper.
#pragma once

#include <span>
#include <string>

#include <strobe/record.h>

namespace strobe {

// A section for each; of several, a table on top that leads to them.
std::string html_of(std::span<const Record>);

}  // namespace strobe
