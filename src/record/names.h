// SPDX-License-Identifier: Apache-2.0
// The words of the record: each enumeration and its spelling in JSON, in one place.
#pragma once

#include <string>
#include <string_view>

#include <strobe/record.h>

namespace strobe {

std::string_view name(About);
std::string_view name(Severity);
std::string_view name(Verdict);
std::string_view name(Status);
std::string_view name(Repeat);

// Throws Error (bad_input) for a word that is none of them.
template <class Enum>
Enum parse_name(std::string_view word);
template <>
About parse_name<About>(std::string_view);
template <>
Severity parse_name<Severity>(std::string_view);
template <>
Verdict parse_name<Verdict>(std::string_view);
template <>
Status parse_name<Status>(std::string_view);
template <>
Repeat parse_name<Repeat>(std::string_view);

// It came back within the margin, from other launches or from other loads.
bool within_margin(Repeat);

// What the parts of a record's `launches` are called.
struct LaunchWords {
  std::string_view one, many;
};
LaunchWords launch_words(const Record&);

// What the host's `virtualisation` is of a guest that does not know of whom.
inline constexpr const char* kUnknownGuest = "virtual machine";

// A candidate that is compared with itself has this name: it shows what cannot be told apart, and is no result.
bool is_noise_floor(const Comparison&);
// The first candidate, measured again for the noise floor.
bool is_noise_floor(const Case&, const Record&);

}  // namespace strobe
