// SPDX-License-Identifier: Apache-2.0
#include "option/kinds.h"

#include "base/format.h"

namespace strobe::kinds {

void refuse(std::string what, std::string cause, std::string advice) {
  throw Error(ErrorCode::usage, std::move(what), std::move(cause), std::move(advice));
}

namespace {

std::string why_beyond(std::int64_t n, std::int64_t least, std::int64_t most) {
  if (n < least) return fmt::format("it must be at least {}", least);
  if (n > most) return fmt::format("it must be at most {}", most);
  return {};
}

void refuse_zero(double v, std::string_view option) {
  if (!(v > 0)) refuse(fmt::format("{} is not above 0", option), {});
}

}  // namespace

std::int64_t read_count(std::string_view text, std::string_view option, std::int64_t least, std::int64_t most) {
  const std::int64_t n = parse_integer(text, option);
  if (const std::string why = why_beyond(n, least, most); !why.empty())
    refuse(fmt::format("cannot read {} '{}'", option, text), why);
  return n;
}

void check_count(std::int64_t n, std::string_view option, std::int64_t least, std::int64_t most) {
  if (const std::string why = why_beyond(n, least, most); !why.empty())
    refuse(fmt::format("cannot use {} {}", option, n), why);
}

void Share::read(const std::vector<std::string>& typed, std::string_view option, double& v) {
  v = parse_share(typed.back(), option);
}

void Share::check(double v, std::string_view option) {
  if (!(v >= 0 && v <= 1)) refuse(fmt::format("cannot use {} {}", option, v), "it must be between 0 and 1");
}

void Percentile::read(const std::vector<std::string>& typed, std::string_view option, double& v) {
  v = parse_percentile(typed.back(), option);
}

void Percentile::check(double v, std::string_view option) {
  if (!(v > 0 && v < 1))
    refuse(fmt::format("cannot use {} {}", option, v), "it must be between 0 and 1", "The 99th percentile is 0.99.");
}

void AboveZero::read(const std::vector<std::string>& typed, std::string_view option, double& v) {
  v = parse_number(typed.back(), option);
  refuse_zero(v, option);
}

void AboveZero::check(double v, std::string_view option) {
  refuse_zero(v, option);
}

void Time::read(const std::vector<std::string>& typed, std::string_view option, nanoseconds& v) {
  v = parse_time(typed.back(), option);
}

void TimeAboveZero::read(const std::vector<std::string>& typed, std::string_view option, nanoseconds& v) {
  Time::read(typed, option, v);
  check(v, option);
}

void TimeAboveZero::check(nanoseconds v, std::string_view option) {
  if (v <= 0ns) refuse(fmt::format("{} is 0", option), "it must be above 0");
}

void Size::read(const std::vector<std::string>& typed, std::string_view option, std::uint64_t& v) {
  v = parse_bytes(typed.back(), option).count;
}

std::size_t index_of(std::string_view word, std::string_view option, const std::vector<std::string>& words) {
  const auto it = std::find(words.begin(), words.end(), word);
  if (it == words.end())
    refuse(fmt::format("unknown {} '{}'", option, cut_text(word, 40)), {},
           fmt::format("Take {}.{}", fmt::join(words, " or "), did_you_mean(word, words)));
  return static_cast<std::size_t>(it - words.begin());
}

void check_text(const std::string& v, std::string_view option, const std::vector<std::string>& words) {
  if (!v.empty() && std::find(words.begin(), words.end(), v) == words.end())
    refuse(fmt::format("cannot use {} '{}'", option, cut_text(v, 40)),
           fmt::format("it must be {}", fmt::join(words, " or ")));
}

void Assignments::read(const std::vector<std::string>& typed, std::string_view option, Map& v) {
  for (const std::string& text : typed) {
    auto [name, value] = parse_assignment(text, option);
    insert_once(v, name, std::move(value), option);
  }
}

std::vector<std::string> single_assignments(const std::vector<std::string>& typed) {
  std::vector<std::string> single;
  for (const std::string& text : typed) {
    const auto parts = split(text, ',');
    const bool several = std::all_of(parts.begin(), parts.end(),
                                     [](std::string_view p) { return p.find('=') != std::string_view::npos; });
    if (several)
      single.insert(single.end(), parts.begin(), parts.end());
    else
      single.push_back(text);
  }
  return single;
}

}  // namespace strobe::kinds
