// SPDX-License-Identifier: Apache-2.0
// A Python value as a member of a struct of options. The type of the member decides what is accepted: a time is "10ms",
// a number of seconds or a timedelta; a word of an enumeration is a string. What has another type is a TypeError, what
// has the right type and no meaning an Error (usage). Limits are the library's affair.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include <strobe/measure.h>
#include <strobe/model.h>

namespace strobe::python {

namespace nb = nanobind;

[[noreturn]] void refuse_type(nb::handle value, const char* name, const char* wanted);

std::int64_t read_integer(nb::handle value, const char* name, std::int64_t least, std::int64_t most);

void read(nb::handle value, const char* name, bool& to);
void read(nb::handle value, const char* name, double& to);
void read(nb::handle value, const char* name, std::string& to);  // also a path, or a number: "0" is a list of CPUs
void read(nb::handle value, const char* name, std::chrono::nanoseconds& to);
void read(nb::handle value, const char* name, void*& to);  // a stream: its address, or an object that has one
void read(nb::handle value, const char* name, Effort& to);
void read(nb::handle value, const char* name, Cache& to);
void read(nb::handle value, const char* name, Io& to);
void read(nb::handle value, const char* name, Copies& to);
void read(nb::handle value, const char* name, IdlePause& to);
void read(nb::handle value, const char* name, InputSets& to);
void read(nb::handle value, const char* name, std::map<std::string, std::string>& to);
void read(nb::handle value, const char* name, std::map<std::string, ValueRange>& to);

template <class Integer>
  requires(std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>)
void read(nb::handle value, const char* name, Integer& to) {
  constexpr auto kMost = std::numeric_limits<Integer>::max();
  constexpr std::int64_t kCap = std::in_range<std::int64_t>(kMost) ? static_cast<std::int64_t>(kMost) : INT64_MAX;
  constexpr std::int64_t kLeast =
      std::is_signed_v<Integer> ? static_cast<std::int64_t>(std::numeric_limits<Integer>::min()) : 0;
  to = static_cast<Integer>(read_integer(value, name, kLeast, kCap));
}

// None: what the library takes where nothing is said.
template <class T>
void read(nb::handle value, const char* name, std::optional<T>& to) {
  if (value.is_none()) return to.reset();
  T read_value{};
  read(value, name, read_value);
  to = std::move(read_value);
}

// One value is a list of one.
template <class T>
void read(nb::handle value, const char* name, std::vector<T>& to) {
  to.clear();
  if (!nb::isinstance<nb::list>(value) && !nb::isinstance<nb::tuple>(value))
    return read(value, name, to.emplace_back());
  for (const nb::handle item : nb::borrow<nb::sequence>(value)) read(item, name, to.emplace_back());
}

}  // namespace strobe::python
