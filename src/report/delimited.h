// SPDX-License-Identifier: Apache-2.0
// Records as rows of cells: CSV for spreadsheets, Markdown for pull requests. One row a metric, of the record and of
// each case.
#pragma once

#include <span>
#include <string>

#include <strobe/record.h>

#include "report/formats.h"

namespace strobe {

std::string csv_of(std::span<const Record>);
std::string render_markdown(const Record&, const RenderOptions&);

}  // namespace strobe
