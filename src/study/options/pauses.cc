// SPDX-License-Identifier: Apache-2.0
#include "study/options/pauses.h"

#include <algorithm>

#include <fmt/format.h>

#include <strobe/words.h>

#include "base/format.h"
#include "base/parse.h"
#include "record/idle_words.h"

namespace strobe {

IdlePause parse_pause(std::string_view text, std::string_view what) {
  constexpr std::string_view kRandom = "poisson";
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {parse_time(text, what), false};
  if (text.substr(0, colon) != kRandom)
    kinds::refuse(fmt::format("cannot read {} '{}'", what, cut_text(text, 40)),
                  "expected a pause, or the mean of random ones", "For example 10ms or poisson:10ms.");
  return {parse_time(text.substr(colon + 1), what), true};
}

}  // namespace strobe

namespace strobe::kinds {
namespace {

constexpr nanoseconds kLongestPause = 1h;

std::string typed_as(const IdlePause& p) {
  return fmt::format("{}{}", p.random ? "poisson " : "", pause_text(to_double(p.length)));
}

}  // namespace

void Pauses::read(const std::vector<std::string>& typed, std::string_view option, std::vector<IdlePause>& v) {
  for (const std::string_view part : split(typed.back(), ',')) v.push_back(parse_pause(part, option));
  check(v, option);
}

void Pauses::check(const std::vector<IdlePause>& v, std::string_view option) {
  for (auto p = v.begin(); p != v.end(); ++p) {
    if (p->length <= 0ns)
      refuse(fmt::format("{} has a pause of 0", option), "without a pause it is the latency", "Leave it out.");
    if (p->length > kLongestPause)
      refuse(fmt::format("cannot use {} {}", option, pause_text(to_double(p->length))), "at most 1h");
    if (std::find(v.begin(), p, *p) != p)
      refuse(fmt::format("{} has {} twice", option, typed_as(*p)), {}, "Leave one of them out.");
  }
}

void Pauses::write(const std::vector<IdlePause>& v, nlohmann::json& to) {
  to = nlohmann::json::array();
  for (const IdlePause& p : v) to.push_back({{"ns", p.length.count()}, {"random", p.random}});
}

void Pauses::take(const nlohmann::json& from, std::vector<IdlePause>& v) {
  for (const nlohmann::json& p : from)
    v.push_back({nanoseconds(p.at("ns").get<std::int64_t>()), p.at("random").get<bool>()});
}

void Pauses::describe(const std::vector<IdlePause>& v, const std::string& key, Scalars& s) {
  std::vector<std::string> words;
  for (const IdlePause& p : v) words.push_back(typed_as(p));
  s[key] = fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace strobe::kinds
