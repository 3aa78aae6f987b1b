// SPDX-License-Identifier: Apache-2.0
// Decimal signs and thousands separators of numbers in a text: "1.234,5", "1,234.5", "30,0123".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strobe {

enum class DecimalSign { unknown, point, comma };

// The number without separators and with a decimal point, if `decimal` is its decimal sign: "1234.5". Nothing where the
// other sign does not separate groups of three digits, as in "1,5" with a decimal point.
std::optional<std::string> plain_number(std::string_view text, DecimalSign decimal);

// Which decimal signs a number may have.
struct NumberForm {
  bool point = false, comma = false;  // both: "5", but also "1.234" and "1,234"
  bool grouped = false;               // it has separators, whichever sign it is
};
NumberForm form_of(std::string_view text);

// What the numbers of a text have in common.
class NumberForms {
 public:
  void add(std::string_view text);

  // Throws Error where they contradict each other, and where "1,234" may be 1.234 or 1234.
  DecimalSign decimal() const;
  bool grouped() const { return grouped_; }

 private:
  bool point_ = false, comma_ = false, grouped_ = false;  // beyond doubt
  std::string open_point_, open_comma_;                   // one that may be a decimal or a separator
};

}  // namespace strobe
