// SPDX-License-Identifier: Apache-2.0
// The formats a record can be shown in: rows of a table, found by name (--format) or by a file's suffix (--export).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>

namespace strobe {

struct RenderOptions {
  bool color = false;
  bool explain = false;  // the definition of each metric
  bool verbose = false;  // every finding, with its message
};

struct Format {
  std::string_view name, suffix;
  std::string (*render)(const Record&, const RenderOptions&);
  std::string (*together)(std::span<const Record>);  // several as one document; null where there is no such document
};

// One record or several; throws a usage Error where the format holds one only.
std::string render_all(const Format&, std::span<const Record>, const RenderOptions&);

// Both throw a usage Error that lists what there is.
const Format& format_named(std::string_view name);
const Format& format_of_file(const std::string& file);
std::vector<std::string> format_words();
std::string format_names();  // the same, as one text

}  // namespace strobe
