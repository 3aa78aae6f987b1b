// SPDX-License-Identifier: Apache-2.0
#include "record/time_columns.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "base/parse.h"
#include "record/time_unit.h"

namespace strobe {
namespace {

using Columns = std::vector<std::size_t>;

[[noreturn]] void refuse_columns(std::string cause, std::string advice = {}) {
  throw Error(ErrorCode::bad_input, "cannot read the times", std::move(cause), std::move(advice));
}

std::string_view heading_of(const CellTable& t, std::size_t column) {
  return column < t.heading.size() ? std::string_view(t.heading[column]) : std::string_view{};
}

std::string list_of_columns(const CellTable& t) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(t.columns(), 12); ++i)
    names.push_back(heading_of(t, i).empty() ? std::to_string(i + 1) : std::string(heading_of(t, i).substr(0, 30)));
  return fmt::format("{}{}", fmt::join(names, ", "), t.columns() > 12 ? ", …" : "");
}

bool says_when(std::string_view heading) {
  constexpr std::array<std::string_view, 8> kWords{"t",     "at",        "start", "started",
                                                   "begin", "timestamp", "stamp", "when"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view w) { return heading_has_word(heading, w); });
}

// A column of times shows its unit, in its heading or behind its numbers.
bool shows_unit(const CellTable& t, std::size_t column) {
  if (unit_in_heading(heading_of(t, column))) return true;
  const auto& cells = t.rows.front().cells;
  const auto first = column < cells.size() ? read_number(cells[column], t.decimal) : std::nullopt;
  return first && !first->unit.empty();
}

std::size_t named_column(const CellTable& t, const std::string& wanted) {
  const auto named = std::find(t.heading.begin(), t.heading.end(), wanted);
  if (named != t.heading.end()) return static_cast<std::size_t>(named - t.heading.begin());
  const auto number = read_number(wanted, DecimalSign::point);
  const double columns = static_cast<double>(t.columns());
  if (number && number->unit.empty() && number->value >= 1 && number->value <= columns)
    return static_cast<std::size_t>(number->value) - 1;
  throw Error(ErrorCode::usage, fmt::format("cannot use --column '{}'", wanted.substr(0, 40)),
              "the file has no such column",
              fmt::format("Its columns are {}.{}", list_of_columns(t), did_you_mean(wanted, t.heading)));
}

// One column needs no choice; of several, one that shows a unit is it. Two without headings are, as they always were,
// when each began and how long it took.
std::size_t time_column(const CellTable& t, const ForeignTimesOptions& o) {
  if (!o.column.empty()) return named_column(t, o.column);
  const std::size_t columns = t.columns();
  if (columns == 1) return 0;
  Columns with_unit, no_stamps;
  for (std::size_t i = 0; i < columns; ++i) {
    if (!shows_unit(t, i)) continue;
    with_unit.push_back(i);
    if (!says_when(heading_of(t, i))) no_stamps.push_back(i);
  }
  if (no_stamps.size() == 1) return no_stamps.front();
  if (with_unit.size() == 1) return with_unit.front();
  if (with_unit.empty() && columns == 2 && (t.heading.empty() || says_when(heading_of(t, 0)))) return 1;
  refuse_columns(fmt::format("it has {} columns: {}", columns, list_of_columns(t)),
                 "Choose the one with the times: --column NAME, or its number.");
}

std::optional<std::size_t> stamp_column(const CellTable& t, std::size_t times) {
  if (t.heading.empty()) return times == 1 && t.columns() == 2 ? std::optional<std::size_t>(0) : std::nullopt;
  for (std::size_t i = 0; i < t.columns(); ++i) {
    if (i != times && says_when(heading_of(t, i))) return i;
  }
  return std::nullopt;
}

// A row with more cells than headings may be one with decimal commas, cut at them.
void check_headings(const CellTable& t) {
  for (const CellRow& row : t.rows) {
    if (row.cells.size() > t.heading.size())
      refuse_columns(
          fmt::format("line {} has {} columns under {} headings", row.line, row.cells.size(), t.heading.size()),
          "Are its numbers written with decimal commas? Put them in quotes, or separate columns by semicolons.");
  }
}

// Without a heading the first row says how many columns there are.
void check_rows(const CellTable& t) {
  if (!t.heading.empty()) return check_headings(t);
  const CellRow& first = t.rows.front();
  for (const CellRow& row : t.rows) {
    if (row.cells.size() != first.cells.size())
      refuse_columns(fmt::format("line {} has {} columns, line {} has {}", row.line, row.cells.size(), first.line,
                                 first.cells.size()));
  }
}

CellNumber number_at(const CellTable& t, const CellRow& row, std::size_t column) {
  const std::string_view cell = column < row.cells.size() ? std::string_view(row.cells[column]) : std::string_view{};
  if (cell.empty()) refuse_columns(fmt::format("line {} has nothing in column {}", row.line, column + 1));
  const auto number = read_number(cell, t.decimal);
  if (!number)
    refuse_columns(
        fmt::format("line {} is no {}: '{}'", row.line, t.columns() > 1 ? "time" : "number", cell.substr(0, 40)));
  return *number;
}

// What --unit says must not contradict the heading: one of the two is wrong by a factor of a thousand.
TimeUnit unit_of(const CellTable& t, std::size_t column, const ForeignTimesOptions& o) {
  const double given = unit_option(o.unit);
  const auto heading = unit_in_heading(heading_of(t, column));
  if (!heading) return {"", given};
  if (!o.unit.empty() && heading->ns != given)
    throw Error(ErrorCode::usage, fmt::format("cannot use --unit {}", o.unit),
                fmt::format("the heading '{}' says {}", heading_of(t, column).substr(0, 40), heading->word),
                "Leave --unit out, or correct the heading.");
  return *heading;
}

// Nobody waits for minutes for a request, but many tools write milliseconds and do not say so.
void check_plausible(std::vector<double> ns) {
  constexpr double kLongestMedian = 100e9;
  const auto middle = ns.begin() + static_cast<std::ptrdiff_t>(ns.size() / 2);
  std::nth_element(ns.begin(), middle, ns.end());
  if (*middle > kLongestMedian)
    refuse_columns(fmt::format("they have no unit, and as seconds the median would be {}", format_time(*middle)),
                   "Say which it is: --unit ns, us, ms or s.");
}

std::string how_it_was_read(const CellTable& t, std::size_t column, const TimeUnit& unit, bool assumed) {
  std::vector<std::string> notes;
  if (t.columns() > 1)
    notes.push_back(fmt::format("column {}", heading_of(t, column).empty()
                                                 ? std::to_string(column + 1)
                                                 : fmt::format("'{}'", heading_of(t, column))));
  if (!unit.word.empty()) notes.push_back(fmt::format("{} by its heading", unit.word));
  if (t.decimal == DecimalSign::comma) notes.push_back("with decimal commas");
  if (t.grouped) notes.push_back("with thousands separators");
  if (assumed) notes.push_back("read as seconds; --unit ms changes it");
  return fmt::format("{}", fmt::join(notes, ", "));
}

}  // namespace

ForeignTimes times_in(const CellTable& table, const ForeignTimesOptions& o) {
  ForeignTimes t;
  t.tool = "times";
  unit_option(o.unit);
  if (table.rows.empty()) return t;
  check_rows(table);
  const std::size_t column = time_column(table, o);
  const auto stamps = stamp_column(table, column);
  const TimeUnit unit = unit_of(table, column, o);
  const auto stamp_unit = stamps ? unit_in_heading(heading_of(table, *stamps)) : std::nullopt;
  bool bare = false;  // some number has no unit behind it
  for (const CellRow& row : table.rows) {
    const CellNumber x = number_at(table, row, column);
    if (x.value < 0) refuse_columns(fmt::format("line {} is a negative time", row.line));
    bare = bare || x.unit.empty();
    t.ns.push_back(x.value * (x.unit.empty() ? unit : *time_unit(x.unit)).ns);
    if (stamps) t.at_seconds.push_back(number_at(table, row, *stamps).value * (stamp_unit ? stamp_unit->ns / 1e9 : 1));
  }
  const bool assumed = unit.word.empty() && o.unit.empty() && bare;
  if (assumed) check_plausible(t.ns);
  t.note = how_it_was_read(table, column, unit, assumed);
  return t;
}

}  // namespace strobe
