// SPDX-License-Identifier: Apache-2.0
// Pieces of HTML. Text from outside (names of files and models, messages of libraries) becomes `Html` only by
// `escaped`, so that what is joined to a page is inert.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>

namespace strobe::page {

struct Html {
  std::string text;
};

// Inert in elements and in quoted attributes.
Html escaped(std::string_view text);
Html nowrap(std::string_view text);    // the same, in one line
Html unbroken(std::string_view text);  // the same, a number and its percent sign in one line

// JSON for a <script> element: no character in it can end the element or begin a comment.
std::string embedded_json(std::string_view json);

// A number of the record as people read it; the number itself stands in `value`, for programs and for tests.
Html number(double value, std::string_view metric, std::string_view field, std::string_view shown);

// "[1.86, 1.88]" in the unit of the figure beside it, or nothing.
Html interval(const Estimate&, std::string_view metric, std::string_view field, std::string_view unit);

// Rows of cells under a heading; the first cell of a row names it. It scrolls inside its own box on a narrow screen.
struct Cells {
  std::string caption;
  std::vector<std::string> head;
  std::string alignment;  // one letter a column: 'l' left, 'r' right
  std::vector<std::vector<Html>> rows = {};
};
std::string render(const Cells&);

}  // namespace strobe::page
