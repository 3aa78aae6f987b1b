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
  refuse_cells(fmt::format("'{}' may be a number with a decimal comma, or two columns", line.substr(0, 40)),
               "Say which with --decimal comma or --decimal point.");
}

// Lines whose only separators are commas: is "30,0123" one number? It is where a heading names one column, where other
// lines have no comma, and where what follows the comma begins with a zero, as no whole number does.
DecimalSign sign_of_commas(const std::vector<TextLine>& lines) {
  const auto first = cells_of(lines.front().text, ',');
  const std::size_t names = is_heading(first) ? first.size() : 0;
  bool leading_zero = false, without_comma = false;
  for (std::size_t i = names > 0 ? 1 : 0; i < lines.size(); ++i) {
    const auto cells = cells_of(lines[i].text, ',');
    if (names > 1 && cells.size() == 2 * names) ask_about_commas(lines[i].text);
    if (cells.size() > 2 || names > 1) return DecimalSign::point;
    const bool comma = has_outside_quotes(lines[i].text, ',');
    without_comma = without_comma || !comma;
    if (cells.size() < 2) {
      if (comma) return DecimalSign::point;  // "3,": a separator at the end
      continue;
    }
    const auto second = read_number(cells[1], DecimalSign::point);
    const std::string_view digits = std::string_view(cells[1]).substr(0, cells[1].find_first_not_of("0123456789"));
    const bool whole = is_digits(cells[0]) && second && is_digits(digits) && second->value == std::floor(second->value);
    const bool spaced = lines[i].text.find(", ") != std::string_view::npos;
    if (!whole || spaced || cells[1].find_first_of(".eE-+") != std::string::npos) return DecimalSign::point;
    leading_zero = leading_zero || (digits.size() > 1 && digits.front() == '0');
  }
  if (names > 1) return DecimalSign::point;
  if (names == 1 || leading_zero || without_comma) return DecimalSign::comma;
  ask_about_commas(lines.back().text);
}

char separator_in(const std::vector<TextLine>& lines, DecimalSign& decimal) {
  for (const char c : {';', '\t', ','}) {
    const auto has = [c](const TextLine& line) { return has_outside_quotes(line.text, c); };
    if (std::none_of(lines.begin(), lines.end(), has)) continue;
    if (c != ',') return c;
    if (decimal == DecimalSign::unknown) decimal = sign_of_commas(lines);
    return decimal == DecimalSign::comma ? kBlank : ',';
  }
  return kBlank;
}

bool has_decimal(const std::string& cell, char sign) {
  const auto number = cell.find(sign) == std::string::npos
                          ? std::nullopt
                          : read_number(cell, sign == ',' ? DecimalSign::comma : DecimalSign::point);
  return number.has_value();
}

// Where commas do not separate, they are in numbers.
DecimalSign sign_in_cells(const CellTable& table) {
  bool comma = false, point = false;
  for (const CellRow& row : table.rows) {
    for (const std::string& cell : row.cells) {
      comma = comma || has_decimal(cell, ',');
      point = point || has_decimal(cell, '.');
    }
  }
  if (comma && point)
    refuse_cells("some numbers have a decimal comma, others a decimal point",
                 "Say which counts with --decimal comma or --decimal point.");
  return comma ? DecimalSign::comma : DecimalSign::point;
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
  std::string number(cell.substr(0, cell.find_first_not_of("0123456789+-.,eE")));
  if (const auto comma = number.find(','); comma != std::string::npos) {
    if (decimal == DecimalSign::point || number.find_first_of(".,", comma + 1) != std::string::npos ||
        number.find('.') != std::string::npos)
      return std::nullopt;
    number[comma] = '.';
  } else if (decimal == DecimalSign::comma && number.find('.') != std::string::npos) {
    return std::nullopt;
  }
  const char* begin = number.data() + (number.starts_with('+') ? 1 : 0);
  CellNumber n;
  const auto [end, error] = std::from_chars(begin, number.data() + number.size(), n.value);
  if (error != std::errc() || !std::isfinite(n.value)) return std::nullopt;
  n.unit = trim(cell.substr(static_cast<std::size_t>(end - number.data())));
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
  const char separator = separator_in(lines, table.decimal);
  for (const TextLine& line : lines) {
    CellRow row{line.number, cells_of(line.text, separator)};
    if (&line == &lines.front() && is_heading(row.cells))
      table.heading = std::move(row.cells);
    else if (!row.cells.empty())
      table.rows.push_back(std::move(row));
  }
  if (table.decimal == DecimalSign::unknown) table.decimal = sign_in_cells(table);
  if (table.heading.empty()) table.heading = heading_in_comment(comment, separator, table.columns());
  if (separator == kBlank && table.columns() == 1 && table.heading.size() > 1)
    table.heading = {fmt::format("{}", fmt::join(table.heading, " "))};
  return table;
}

}  // namespace strobe
