// SPDX-License-Identifier: Apache-2.0
// Which version of Strobe this is. CMake reads these numbers: they are kept here alone.
#pragma once

#define STROBE_VERSION_MAJOR 0
#define STROBE_VERSION_MINOR 1
#define STROBE_VERSION_PATCH 0
// For #if: 0.1.0 is 100, 1.2.3 is 10203.
#define STROBE_VERSION (STROBE_VERSION_MAJOR * 10000 + STROBE_VERSION_MINOR * 100 + STROBE_VERSION_PATCH)

namespace strobe {

// Of the library that is loaded: "0.1.0".
const char* version() noexcept;

}  // namespace strobe
