// SPDX-License-Identifier: Apache-2.0
// Words as one line that a shell takes apart into the same words.
#pragma once

#include <string>
#include <vector>

namespace strobe::cli {

std::string shell_line(const std::vector<std::string>& words);

}  // namespace strobe::cli
