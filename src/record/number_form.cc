// SPDX-License-Identifier: Apache-2.0
#include "record/number_form.h"

#include <algorithm>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"

namespace strobe {
namespace {

constexpr std::string_view kDigits = "0123456789";

// "1.234.567": one to three digits, the first of them no zero, then groups of three.
bool is_grouped(std::string_view whole, char separator) {
  const auto groups = split(whole, separator);
  if (groups.size() < 2 || groups.front().empty() || groups.front().size() > 3 || groups.front().front() == '0')
    return false;
  return std::all_of(groups.begin(), groups.end(), [&](std::string_view g) {
    return (g.size() == 3 || g.data() == groups.front().data()) &&
           g.find_first_not_of(kDigits) == std::string_view::npos;
  });
}

}  // namespace

std::optional<std::string> plain_number(std::string_view text, DecimalSign decimal) {
  const char sign = decimal == DecimalSign::comma ? ',' : '.', separator = sign == ',' ? '.' : ',';
  const std::size_t at = std::min(text.find(sign), text.size());
  const std::string_view fraction = text.substr(at);
  std::string whole(text.substr(0, at));
  if (fraction.find_last_of(".,") != std::string_view::npos && fraction.find_last_of(".,") > 0) return std::nullopt;
  if (whole.find(separator) != std::string::npos) {
    const std::size_t begin = whole.find_first_not_of("+-");
    if (begin == std::string::npos || !is_grouped(std::string_view(whole).substr(begin), separator))
      return std::nullopt;
    std::erase(whole, separator);
  }
  return fraction.empty() ? whole : whole + "." + std::string(fraction.substr(1));
}

NumberForm form_of(std::string_view text) {
  NumberForm f;
  f.point = plain_number(text, DecimalSign::point).has_value();
  f.comma = plain_number(text, DecimalSign::comma).has_value();
  const bool point = text.find('.') != std::string_view::npos, comma = text.find(',') != std::string_view::npos;
  // One reading is left, and it takes a separator: the other sign is there, or the same one twice.
  f.grouped = f.point != f.comma && (f.point ? comma : point);
  return f;
}

void NumberForms::add(std::string_view text) {
  const NumberForm f = form_of(text);
  point_ = point_ || (f.point && !f.comma);
  comma_ = comma_ || (f.comma && !f.point);
  grouped_ = grouped_ || f.grouped;
  if (!f.point || !f.comma) return;
  if (text.find('.') != std::string_view::npos) open_point_ = text;
  if (text.find(',') != std::string_view::npos) open_comma_ = text;
}

DecimalSign NumberForms::decimal() const {
  constexpr const char* kReadingForms = "cannot read the times";
  constexpr const char* kSay = "Say which counts with --decimal comma or --decimal point.";
  // A separator is believed only where another number proves that there are some.
  const bool points = point_ || (!open_point_.empty() && !(comma_ && grouped_));
  const bool commas = comma_ || (!open_comma_.empty() && !(point_ && grouped_));
  if (points && commas)
    throw Error(ErrorCode::bad_input, kReadingForms, "some numbers have a decimal comma, others a decimal point", kSay);
  if (commas && !comma_)
    throw Error(ErrorCode::bad_input, kReadingForms,
                fmt::format("'{}' may have a decimal comma or a thousands separator", open_comma_.substr(0, 40)), kSay);
  return commas ? DecimalSign::comma : DecimalSign::point;
}

}  // namespace strobe
