// SPDX-License-Identifier: Apache-2.0
#include "record/time_unit.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace strobe {
namespace {

struct UnitWord {
  std::string_view word;
  TimeUnit unit;
};

constexpr TimeUnit kNs{"ns", 1}, kUs{"us", 1e3}, kMs{"ms", 1e6}, kS{"s", 1e9};
// The micro sign has two code points, and people type both.
constexpr std::array kUnitWords{
    UnitWord{"ns", kNs},          UnitWord{"nsec", kNs},         UnitWord{"nsecs", kNs},
    UnitWord{"nanos", kNs},       UnitWord{"nanosecond", kNs},   UnitWord{"nanoseconds", kNs},
    UnitWord{"us", kUs},          UnitWord{"\xC2\xB5s", kUs},    UnitWord{"\xCE\xBCs", kUs},
    UnitWord{"usec", kUs},        UnitWord{"usecs", kUs},        UnitWord{"micros", kUs},
    UnitWord{"microsecond", kUs}, UnitWord{"microseconds", kUs}, UnitWord{"ms", kMs},
    UnitWord{"msec", kMs},        UnitWord{"msecs", kMs},        UnitWord{"millis", kMs},
    UnitWord{"millisecond", kMs}, UnitWord{"milliseconds", kMs}, UnitWord{"s", kS},
    UnitWord{"sec", kS},          UnitWord{"secs", kS},          UnitWord{"second", kS},
    UnitWord{"seconds", kS},
};

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
char lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

// An apostrophe belongs to its word: the s of "model's" is no unit. Bytes beyond ASCII are letters.
bool is_letter(char c) {
  return is_upper(c) || is_lower(c) || (c >= '0' && c <= '9') || c == '\'' || static_cast<unsigned char>(c) >= 0x80;
}

std::vector<std::string> words_of(std::string_view heading) {
  std::vector<std::string> words;
  bool inside = false;
  char before = 0;
  for (const char c : heading) {
    const bool begins = is_letter(c) && (!inside || (is_lower(before) && is_upper(c)));
    if (begins) words.emplace_back();
    inside = is_letter(c);
    if (inside) words.back() += lower(c);
    before = c;
  }
  return words;
}

}  // namespace

std::optional<TimeUnit> time_unit(std::string_view word) {
  std::string small(word);
  std::transform(small.begin(), small.end(), small.begin(), lower);
  for (const UnitWord& u : kUnitWords) {
    if (u.word == small) return u.unit;
  }
  return std::nullopt;
}

std::optional<TimeUnit> unit_in_heading(std::string_view heading) {
  std::optional<TimeUnit> unit;
  for (const std::string& word : words_of(heading)) {
    if (const auto found = time_unit(word)) unit = found;
  }
  return unit;
}

bool heading_has_word(std::string_view heading, std::string_view word) {
  const auto words = words_of(heading);
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace strobe
