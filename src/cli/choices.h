// SPDX-License-Identifier: Apache-2.0
// Options whose value is one of a few words. The words stand with the option: others are refused in one sentence, and
// shells complete them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace strobe::cli {

// A verb's options, and the words that each may have.
struct VerbApp : CLI::App {
  using CLI::App::App;
  std::map<std::string, std::vector<std::string>> choices;  // by the option's name
};

// Other values are refused.
CLI::Option* one_of(CLI::App&, CLI::Option*, std::vector<std::string> words);
// Other values are possible: `cuda:1` beside `cuda`.
CLI::Option* suggest(CLI::App&, CLI::Option*, std::vector<std::string> words);

// Options that are declared from here on stand under this heading in --help.
void begin_group(CLI::App&, const char* heading);

}  // namespace strobe::cli
