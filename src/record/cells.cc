// SPDX-License-Identifier: Apache-2.0
#include "record/cells.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "record/time_unit.h"

namespace strobe {
namespace {

constexpr char kBlank = ' ';

struct TextLine {
  std::size_t number = 0;
  std::string_view text;  // without its comment
  std::string_view comment;
};

[[noreturn]] void refuse_cells(std::string cause, std::string advice) {
  throw Error(ErrorCode::bad_input, "cannot read the times", std::move(cause), std::move(advice));
}

// Calls `f(i)` for each character that is not inside quotes.
template <class F>
void outside_quotes(std::string_view line, F f) {
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') inside = !inside;
    if (!inside) f(i);
  }
}

TextLine without_comment(std::size_t number, std::string_view raw) {
  std::size_t hash = raw.size();
  outside_quotes(raw, [&](std::size_t i) {
    if (raw[i] == '#') hash = std::min(hash, i);
  });
  return {number, trim(raw.substr(0, hash)), hash < raw.size() ? trim(raw.substr(hash + 1)) : std::string_view{}};
}

bool has_outside_quotes(std::string_view line, char wanted) {
  bool found = false;
  outside_quotes(line, [&](std::size_t i) { found = found || line[i] == wanted; });
  return found;
}

std::string without_quotes(std::string_view cell) {
  cell = trim(cell);
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
  std::string inner(trim(cell.substr(1, cell.size() - 2)));
  for (std::size_t at = 0; (at = inner.find("\"\"", at)) != std::string::npos; ++at) inner.erase(at, 1);
  return inner;
}

// Blanks in a row count once, and "88.2 ms" is one cell.
void join_blank_cells(std::vector<std::string>& cells) {
  std::vector<std::string> joined;
  for (std::string& c : cells) {
    if (c.empty()) continue;
    const bool unit = time_unit(c) && !joined.empty();
    const auto before = unit ? read_number(joined.back(), DecimalSign::unknown) : std::nullopt;
    if (before && before->unit.empty())
      joined.back() += " " + c;
    else
      joined.push_back(std::move(c));
  }
  cells = std::move(joined);
}

std::vector<std::string> cells_of(std::string_view line, char separator) {
  std::vector<std::string> cells;
  std::size_t begin = 0;
  outside_quotes(line, [&](std::size_t i) {
    if (line[i] != separator && !(separator == kBlank && line[i] == '\t')) return;
    cells.push_back(without_quotes(line.substr(begin, i - begin)));
    begin = i + 1;
  });
  cells.push_back(without_quotes(line.substr(begin)));
  if (separator == kBlank) join_blank_cells(cells);
  while (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

// The digits and signs that a cell begins with.
std::string_view number_text(std::string_view cell) {
  return cell.substr(0, cell.find_first_not_of("0123456789+-.,eE"));
}

bool is_number_cell(const std::string& cell) {
  return read_number(cell, DecimalSign::unknown).has_value();
}

bool is_heading(const std::vector<std::string>& cells) {
  return !cells.empty() && std::none_of(cells.begin(), cells.end(), is_number_cell);
}

bool is_digits(std::string_view s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

[[noreturn]] void ask_about_commas(std::string_view line) {
  refuse_cells(fmt::format("'{}' may be one number, or two columns", line.substr(0, 40)),
               form_of(line).comma ? "Say which with --decimal comma or --decimal point."
                                   : "For columns add --decimal point; for numbers give them a heading, or leave the "
                                     "thousands separators out.");
}

// "30,0123", "1,234.5", "1.234,5 ms"; not "1, 2", "3," or "1,-2".
bool may_be_one_number(std::string_view line) {
  return number_text(line).find_first_of("eE+-") == std::string_view::npos &&
         line.find(", ") == std::string_view::npos && line.back() != ',' && line.front() != ',' &&
         read_number(line, DecimalSign::unknown);
}

// "05", as no number of another column begins.
bool begins_with_zero(std::string_view cell) {
  return cell.size() > 1 && cell[0] == '0' && is_digits(cell.substr(1, 1));
}

struct CommaLines {
  std::size_t names = 0;  // in the heading; 0: there is none
  std::vector<TextLine> with_comma;
  bool without_comma = false;
};

CommaLines comma_lines(const std::vector<TextLine>& lines) {
  CommaLines c;
  const auto first = cells_of(lines.front().text, ',');
  c.names = is_heading(first) ? first.size() : 0;
  for (std::size_t i = c.names > 0 ? 1 : 0; i < lines.size(); ++i) {
    if (has_outside_quotes(lines[i].text, ','))
      c.with_comma.push_back(lines[i]);
    else
      c.without_comma = true;
  }
  return c;
}

// Lines whose only separators are commas: is "30,0123" one number? It is where a heading names one column, where other
// lines have no comma, and where what follows the comma begins with a zero, as no whole number does.
bool commas_are_in_numbers(const std::vector<TextLine>& lines) {
  const CommaLines c = comma_lines(lines);
  bool leading_zero = false;
  for (const TextLine& line : c.with_comma) {
    if (c.names > 1 && cells_of(line.text, ',').size() == 2 * c.names) ask_about_commas(line.text);
    if (c.names > 1 || !may_be_one_number(line.text)) return false;
    leading_zero = leading_zero || begins_with_zero(cells_of(line.text, ',').back());
  }
  if (c.names == 1 || leading_zero || c.without_comma) return true;
  ask_about_commas(lines.back().text);
}

// The user has said that the decimal sign is a point: then a comma is in a number only as a thousands separator.
bool commas_separate_thousands(const std::vector<TextLine>& lines) {
  const CommaLines c = comma_lines(lines);
  if (c.names > 1 || (c.names == 0 && !c.without_comma)) return false;
  return std::all_of(c.with_comma.begin(), c.with_comma.end(), [](const TextLine& line) {
    return may_be_one_number(line.text) && read_number(line.text, DecimalSign::point);
  });
}

char separator_in(const std::vector<TextLine>& lines, DecimalSign decimal) {
  for (const char c : {';', '\t', ','}) {
    const auto has = [c](const TextLine& line) { return has_outside_quotes(line.text, c); };
    if (std::none_of(lines.begin(), lines.end(), has)) continue;
    if (c != ',') return c;
    const bool in_numbers = decimal == DecimalSign::comma   ? true
                            : decimal == DecimalSign::point ? commas_separate_thousands(lines)
                                                            : commas_are_in_numbers(lines);
    return in_numbers ? kBlank : ',';
  }
  return kBlank;
}

// Where commas do not separate cells, they are in numbers.
NumberForms forms_in(const CellTable& table) {
  NumberForms forms;
  for (const CellRow& row : table.rows) {
    for (const std::string& cell : row.cells) {
      if (is_number_cell(cell)) forms.add(number_text(cell));
    }
  }
  return forms;
}

std::vector<TextLine> lines_of(std::string_view text, std::string_view& comment_before) {
  std::vector<TextLine> lines;
  std::size_t number = 0;
  for (const std::string_view raw : split(text, '\n')) {
    const TextLine line = without_comment(++number, raw);
    const bool empty = line.text.find_first_not_of(",; \t") == std::string_view::npos;
    if (empty && lines.empty() && !line.comment.empty()) comment_before = line.comment;
    if (!empty) lines.push_back(line);
  }
  return lines;
}

// What numpy writes above its columns: a comment of as many words as there are columns.
std::vector<std::string> heading_in_comment(std::string_view comment, char separator, std::size_t columns) {
  constexpr std::size_t kWords = 2;  // "Latency (ms)"; more of them are a sentence
  if (columns == 1 && cells_of(comment, kBlank).size() <= kWords) return {std::string(comment)};
  auto cells = cells_of(comment, separator);
  return columns > 1 && cells.size() == columns ? cells : std::vector<std::string>{};
}

}  // namespace

std::size_t CellTable::columns() const {
  std::size_t most = 0;
  for (const CellRow& row : rows) most = std::max(most, row.cells.size());
  return most;
}

std::optional<CellNumber> read_number(std::string_view cell, DecimalSign decimal) {
  const std::string_view text = number_text(cell);
  auto number = decimal == DecimalSign::unknown ? plain_number(text, DecimalSign::point) : plain_number(text, decimal);
  if (!number && decimal == DecimalSign::unknown) number = plain_number(text, DecimalSign::comma);
  if (!number) return std::nullopt;
  const char* begin = number->data() + (number->starts_with('+') ? 1 : 0);
  CellNumber n;
  const auto [end, error] = std::from_chars(begin, number->data() + number->size(), n.value);
  if (error != std::errc() || !std::isfinite(n.value)) return std::nullopt;
  // What from_chars leaves, as of "5 e", belongs to the unit.
  const auto left = static_cast<std::size_t>(number->data() + number->size() - end);
  n.unit = trim(cell.substr(text.size() - left));
  if (!n.unit.empty() && !time_unit(n.unit)) return std::nullopt;
  return n;
}

CellTable read_cells(std::string_view text, DecimalSign decimal) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    refuse_cells("the file is UTF-16", "Save it as UTF-8.");
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string_view comment;
  const auto lines = lines_of(text, comment);
  CellTable table;
  if (lines.empty()) return table;
  table.decimal = decimal;
  const char separator = separator_in(lines, decimal);
  for (const TextLine& line : lines) {
    CellRow row{line.number, cells_of(line.text, separator)};
    if (&line == &lines.front() && is_heading(row.cells))
      table.heading = std::move(row.cells);
    else if (!row.cells.empty())
      table.rows.push_back(std::move(row));
  }
  const NumberForms forms = forms_in(table);
  if (table.decimal == DecimalSign::unknown) table.decimal = forms.decimal();
  table.grouped = forms.grouped();
  if (table.heading.empty()) table.heading = heading_in_comment(comment, separator, table.columns());
  if (separator == kBlank && table.columns() == 1 && table.heading.size() > 1)
    table.heading = {fmt::format("{}", fmt::join(table.heading, " "))};
  return table;
}

}  // namespace strobe
