// SPDX-License-Identifier: Apache-2.0
#include "measure/method_axes.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "base/units.h"

namespace strobe {
namespace {

constexpr std::string_view kClocks[]{"host", "device"}, kWaits[]{"none", "event", "stream", "device"},
    kReads[]{"request", "end"}, kScopes[]{"request", "block"}, kQueues[]{"drained", "gated", "full"},
    kForms[]{"eager", "graph"}, kCaches[]{"hot", "cold"}, kInputs[]{"rotating", "same"}, kGates[]{"automatic", "spin"},
    kYesNo[]{"false", "true"};

// Words are in the order of the values that they name.
struct Axis {
  std::string_view name;
  std::span<const std::string_view> words;
  std::size_t (*get)(const Method&);
  void (*set)(Method&, std::size_t);
  bool yes_no = false;
};

template <auto Member>
std::size_t get(const Method& m) {
  return static_cast<std::size_t>(m.*Member);
}

template <auto Member>
void set(Method& m, std::size_t value) {
  m.*Member = static_cast<std::remove_reference_t<decltype(m.*Member)>>(value);
}

template <auto Member>
constexpr Axis axis(std::string_view name, std::span<const std::string_view> words) {
  return {name, words, get<Member>, set<Member>};
}

template <auto Member>
constexpr Axis yes_no(std::string_view name) {
  return {name, kYesNo, get<Member>, set<Member>, true};
}

constexpr std::string_view kGate = "gate";

constexpr std::array kAxes{axis<&Method::clock>("clock", kClocks),
                           axis<&Method::wait>("wait", kWaits),
                           axis<&Method::read>("read", kReads),
                           axis<&Method::scope>("scope", kScopes),
                           axis<&Method::queue>("queue", kQueues),
                           axis<&Method::form>("form", kForms),
                           axis<&Method::cold>("cache", kCaches),
                           axis<&Method::same_input>("input", kInputs),
                           axis<&Method::spin_gate>(kGate, kGates),
                           yes_no<&Method::warmup>("warmup"),
                           yes_no<&Method::copies>("copies"),
                           yes_no<&Method::second>("second"),
                           yes_no<&Method::once>("once")};

const Axis& axis_of(std::string_view name) {
  const auto it = std::find_if(kAxes.begin(), kAxes.end(), [&](const Axis& a) { return a.name == name; });
  if (it != kAxes.end()) return *it;
  std::vector<std::string> names;
  for (const Axis& a : kAxes) names.emplace_back(a.name);
  throw Error(ErrorCode::usage, fmt::format("a method has no axis '{}'", name.substr(0, 40)), {},
              fmt::format("The axes are {}.{}", fmt::join(names, ", "), did_you_mean(name, names)));
}

void set_axis(Method& m, const Axis& a, std::string_view word) {
  const auto it = std::find(a.words.begin(), a.words.end(), word);
  if (it == a.words.end())
    throw Error(ErrorCode::usage, fmt::format("the axis {} of a method has no '{}'", a.name, word.substr(0, 40)), {},
                fmt::format("Take one of {}.{}", fmt::join(a.words, ", "),
                            did_you_mean(word, std::vector<std::string>(a.words.begin(), a.words.end()))));
  a.set(m, static_cast<std::size_t>(it - a.words.begin()));
}

}  // namespace

Scalars axes(const Method& m, const std::string& gate) {
  Scalars settings;
  for (const Axis& a : kAxes) {
    const std::size_t value = a.get(m);
    if (a.yes_no)
      settings[std::string(a.name)] = value != 0;
    else
      settings[std::string(a.name)] = a.name == kGate && value == 0 ? gate : std::string(a.words[value]);
  }
  if (m.idle.length <= nanoseconds{}) return settings;
  settings["idle_ns"] = to_double(m.idle.length);
  settings["idle_random"] = m.idle.random;
  return settings;
}

Method parse_method(std::string_view text) {
  Method m;
  std::set<std::string_view> given;
  for (const std::string_view part : split(text, ',')) {
    const auto [name, word] = parse_assignment(part, "the axis of a method");
    const Axis& a = axis_of(name);
    if (!given.insert(a.name).second)
      throw Error(ErrorCode::usage, fmt::format("the axis {} of a method is given twice", a.name), {},
                  "Leave one of them out.");
    set_axis(m, a, word);
  }
  return m;
}

std::string method_text(const Method& m) {
  std::vector<std::string> parts;
  for (const Axis& a : kAxes) {
    if (a.get(m) != a.get(Method{})) parts.push_back(fmt::format("{}={}", a.name, a.words[a.get(m)]));
  }
  return parts.empty() ? fmt::format("wait={}", kWaits[get<&Method::wait>(m)])
                       : fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace strobe
