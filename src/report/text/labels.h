// SPDX-License-Identifier: Apache-2.0
// The column of labels that lines of text begin with: "replay time" and two blanks.
#pragma once

#include <cstddef>

namespace strobe {

inline constexpr std::size_t kLabelWidth = 13;

}  // namespace strobe
