// SPDX-License-Identifier: Apache-2.0
// Words that users bring from other tools, and ours for them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::cli {

// "strobe has no --iterations; use --requests N". `known`: the options of the verb ("--requests"). Nothing for a word
// that no other tool has.
std::optional<std::string> answer_foreign_option(std::string_view word, const std::vector<std::string>& known);
std::optional<std::string> answer_foreign_verb(std::string_view word);

}  // namespace strobe::cli
