// SPDX-License-Identifier: Apache-2.0
// The look of a page and its two small scripts, as constants: a page brings everything along and asks nobody for more.
#pragma once

#include <string_view>

namespace strobe::page {

extern const std::string_view kStyle;
extern const std::string_view kScript;
extern const std::string_view kZoomScript;  // of time lines

}  // namespace strobe::page
