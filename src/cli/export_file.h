// SPDX-License-Identifier: Apache-2.0
// What --export writes: a format by the file's suffix (report/formats.h), or Perfetto's own, which a Python package
// writes.
#pragma once

#include <span>
#include <string>

#include <strobe/record.h>

namespace strobe::cli {

// Throws Error (usage) where no format has this suffix.
void check_export(const std::string& file);

// Its contents. Throws Error (not_found) where it takes a Python package that is not there.
std::string exported(const std::string& file, std::span<const Record>);

}  // namespace strobe::cli
