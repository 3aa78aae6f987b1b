// SPDX-License-Identifier: Apache-2.0
#include "cli/choices.h"

#include <algorithm>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"

namespace strobe::cli {
namespace {

// "quick, standard or sustained"
std::string listed(const std::vector<std::string>& words) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

}  // namespace

CLI::Option* suggest(CLI::App& app, CLI::Option* option, std::vector<std::string> words) {
  if (auto* verb = dynamic_cast<VerbApp*>(&app)) verb->choices[option->get_name()] = std::move(words);
  return option;
}

CLI::Option* one_of(CLI::App& app, CLI::Option* option, std::vector<std::string> words) {
  const std::string name = option->get_name();
  option->check([name, words](const std::string& value) -> std::string {
    if (std::find(words.begin(), words.end(), value) != words.end()) return {};
    throw Error(ErrorCode::usage, fmt::format("unknown {} '{}'", name, value.substr(0, 40)), {},
                fmt::format("Take {}.{}", listed(words), did_you_mean(value, words)));
  });
  return suggest(app, option, std::move(words));
}

void begin_group(CLI::App& app, const char* heading) {
  app.option_defaults()->group(heading);
}

}  // namespace strobe::cli
