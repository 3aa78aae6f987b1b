// SPDX-License-Identifier: Apache-2.0
// A text file as rows of cells, as spreadsheets and scripts write them: separated by semicolons, tabs, commas or
// blanks, perhaps in quotes, perhaps with decimal commas or thousands separators. What the cells mean is not decided
// here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/number_form.h"

namespace strobe {

struct CellRow {
  std::size_t line = 0;            // in the file, from 1
  std::vector<std::string> cells;  // without quotes and surrounding blanks; empty ones are kept, but for the last
};

struct CellTable {
  std::vector<std::string> heading;  // the first row, where no cell of it is a number
  std::vector<CellRow> rows;
  DecimalSign decimal = DecimalSign::point;
  bool grouped = false;  // numbers have thousands separators

  std::size_t columns() const;  // of the longest row
};

// `decimal` is what the user said. Throws Error where "1,5" may be one number or two columns, "1,234" one of two
// numbers, and where the file is no text. Comments (#) and blank lines are left out.
CellTable read_cells(std::string_view text, DecimalSign decimal = DecimalSign::unknown);

// What a cell says: a number and the unit behind it, if any. Nothing where it does not begin with a number.
struct CellNumber {
  double value = 0;
  std::string_view unit;
};
std::optional<CellNumber> read_number(std::string_view cell, DecimalSign);

}  // namespace strobe
