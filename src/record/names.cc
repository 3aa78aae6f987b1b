// SPDX-License-Identifier: Apache-2.0
#include "record/names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <strobe/error.h>

namespace strobe {
namespace {

template <class Enum>
struct Word {
  Enum value;
  std::string_view word;
};

template <class Enum>
Word(Enum, std::string_view) -> Word<Enum>;  // older clang does not deduce aggregates

constexpr std::array kAbout{Word{About::measurement, "measurement"}, Word{About::workload, "workload"},
                            Word{About::machine, "machine"}};
constexpr std::array kSeverity{Word{Severity::note, "note"}, Word{Severity::warning, "warning"},
                               Word{Severity::invalid, "invalid"}};
constexpr std::array kVerdict{Word{Verdict::trusted, "trusted"}, Word{Verdict::caution, "caution"},
                              Word{Verdict::invalid, "invalid"}};
constexpr std::array kStatus{Word{Status::converged, "converged"}, Word{Status::not_converged, "not-converged"},
                             Word{Status::fixed, "fixed"}, Word{Status::interrupted, "interrupted"}};

constexpr std::array kRepeat{Word{Repeat::repeats, "repeats"},
                             Word{Repeat::varies, "varies"},
                             Word{Repeat::one_launch, "one-launch"},
                             Word{Repeat::invalid, "invalid"},
                             Word{Repeat::repeats_over_loads, "repeats-over-loads"},
                             Word{Repeat::varies_over_loads, "varies-over-loads"}};

template <class Enum, std::size_t N>
std::string_view word_of(const std::array<Word<Enum>, N>& words, Enum value) {
  return std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.value == value; })->word;
}

template <class Enum, std::size_t N>
Enum value_of(const std::array<Word<Enum>, N>& words, std::string_view word) {
  for (const auto& w : words) {
    if (w.word == word) return w.value;
  }
  throw Error(ErrorCode::bad_input, "cannot read the record",
              fmt::format("'{}' is not allowed here", word.substr(0, 40)));
}

}  // namespace

std::string_view name(About x) {
  return word_of(kAbout, x);
}
std::string_view name(Severity x) {
  return word_of(kSeverity, x);
}
std::string_view name(Verdict x) {
  return word_of(kVerdict, x);
}
std::string_view name(Status x) {
  return word_of(kStatus, x);
}
std::string_view name(Repeat x) {
  return word_of(kRepeat, x);
}

template <>
About parse_name<About>(std::string_view w) {
  return value_of(kAbout, w);
}
template <>
Severity parse_name<Severity>(std::string_view w) {
  return value_of(kSeverity, w);
}
template <>
Verdict parse_name<Verdict>(std::string_view w) {
  return value_of(kVerdict, w);
}
template <>
Status parse_name<Status>(std::string_view w) {
  return value_of(kStatus, w);
}

template <>
Repeat parse_name<Repeat>(std::string_view w) {
  return value_of(kRepeat, w);
}

bool within_margin(Repeat word) {
  return word == Repeat::repeats || word == Repeat::repeats_over_loads;
}

LaunchWords launch_words(const Record& r) {
  return r.one_process ? LaunchWords{"load", "loads"} : LaunchWords{"launch", "launches"};
}

bool is_noise_floor(const Comparison& c) {
  return c.noise_floor;
}

bool is_noise_floor(const Case& c, const Record& r) {
  return std::any_of(r.comparisons.begin(), r.comparisons.end(),
                     [&](const Comparison& x) { return x.noise_floor && x.b == c.name; });
}

}  // namespace strobe
