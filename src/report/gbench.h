// SPDX-License-Identifier: Apache-2.0
// Records as google-benchmark writes its JSON, for the tools that read it (compare.py and its like).
#pragma once

#include <span>
#include <string>

#include <strobe/record.h>

namespace strobe {

std::string gbench_of(std::span<const Record>);

}  // namespace strobe
