// SPDX-License-Identifier: Apache-2.0
// How complaints call the options of a model: as the command line has them, or as keys of a pipeline file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strobe {

struct OptionNames {
  bool keys = false;  // of a file

  std::string of(std::string_view option) const;                            // --input-range; 'input_range'
  std::string with(std::string_view option, std::string_view value) const;  // --batch 4; 'batch: 4'
  // For several names at once, quoted for a shell where they need it: --shape ids=1x128 --shape mask=1x128;
  // shape: {ids: 1x128, mask: 1x128}.
  std::string with(std::string_view option, const std::vector<std::pair<std::string, std::string>>& values) const;
};

}  // namespace strobe
