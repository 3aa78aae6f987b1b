// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/option_names.h"

#include <algorithm>

#include <fmt/format.h>

namespace strobe {
namespace {

std::string key_name(std::string_view option) {
  std::string key(option);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

std::string for_shell(const std::string& text) {
  const bool plain = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.=/:-") ==
                     std::string::npos;
  return fmt::format("{0}{1}{0}", plain ? "" : "'", text);
}

}  // namespace

std::string OptionNames::of(std::string_view option) const {
  return keys ? fmt::format("'{}'", key_name(option)) : fmt::format("--{}", option);
}

std::string OptionNames::with(std::string_view option, std::string_view value) const {
  return keys ? fmt::format("'{}: {}'", key_name(option), value) : fmt::format("--{} {}", option, value);
}

std::string OptionNames::with(std::string_view option,
                              const std::vector<std::pair<std::string, std::string>>& values) const {
  std::vector<std::string> parts;
  for (const auto& [name, value] : values)
    parts.push_back(keys ? fmt::format("{}: {}", name, value)
                         : fmt::format("--{} {}", option, for_shell(fmt::format("{}={}", name, value))));
  return keys ? fmt::format("{}: {{{}}}", key_name(option), fmt::join(parts, ", "))
              : fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace strobe
