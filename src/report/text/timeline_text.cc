// SPDX-License-Identifier: Apache-2.0
#include "report/text/timeline_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "report/text/table.h"

namespace strobe {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

// Each stage has one letter on every lane: of its name where that is free, else the next of the alphabet. Where
// iterations overlap it is small, and every second of them has the capital.
class Letters {
 public:
  explicit Letters(bool small) : small_(small) {}

  char of(const TimelineSpan& s) {
    const char letter = of(s.name);
    return s.iteration.value_or(0) % 2 == 1 ? upper(letter) : letter;
  }
  const std::vector<std::pair<std::string, char>>& given() const { return given_; }

 private:
  char of(const std::string& name) {
    for (const auto& [known, letter] : given_) {
      if (known == name) return letter;
    }
    char letter = '#';
    for (char c : name + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") {
      if (small_) c = lower(c);
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!plain || taken(c)) continue;
      letter = c;
      break;
    }
    given_.emplace_back(name, letter);
    return letter;
  }
  bool taken(char c) const {
    return std::any_of(given_.begin(), given_.end(), [&](const auto& g) { return g.second == c; });
  }
  bool small_;
  std::vector<std::pair<std::string, char>> given_;
};

// A character belongs to the stage that fills most of it, if stages fill at least half.
std::string draw(std::span<const TimelineSpan> spans, const std::string& lane, double step, std::size_t width,
                 Letters& letters) {
  std::string line(width, '.');
  for (std::size_t i = 0; i < width; ++i) {
    const double begin = static_cast<double>(i) * step, end = begin + step;
    double most = 0, covered = 0;
    const TimelineSpan* best = nullptr;
    for (const TimelineSpan& s : spans) {
      if (s.lane != lane) continue;
      const double part = std::min(s.end_ns, end) - std::max(s.begin_ns, begin);
      if (part <= 0) continue;
      covered += part;
      if (part > most) {
        most = part;
        best = &s;
      }
    }
    if (best && covered >= step / 2) line[i] = letters.of(*best);
  }
  // What is shorter than half a character would vanish: shown where nothing longer lies.
  for (const TimelineSpan& s : spans) {
    if (s.lane != lane) continue;
    const char letter = letters.of(s);
    const auto at = std::min(width - 1, static_cast<std::size_t>(std::max(0.0, s.begin_ns) / step));
    if (line.find(letter) == std::string::npos && line[at] == '.') line[at] = letter;
  }
  return line;
}

}  // namespace

std::string timeline_text(std::span<const TimelineSpan> spans, double until_ns, std::size_t width) {
  if (spans.empty() || width == 0 || !(until_ns > 0)) return {};
  std::vector<std::string> lanes;
  std::size_t label = 0;
  for (const TimelineSpan& s : spans) {
    if (std::find(lanes.begin(), lanes.end(), s.lane) == lanes.end()) lanes.push_back(s.lane);
    label = std::max(label, strobe::width(s.lane));
  }
  const bool overlap = std::any_of(spans.begin(), spans.end(), [](const TimelineSpan& s) { return s.iteration; });
  Letters letters(overlap);
  for (const TimelineSpan& s : spans) letters.of(s);
  std::string text;
  const double step = until_ns / static_cast<double>(width);
  for (const std::string& lane : lanes)
    text += fmt::format("  {}  {}\n", padded(lane, label), draw(spans, lane, step, width, letters));
  const std::string end = format_time(until_ns);
  text += fmt::format("  {}  0{}\n", std::string(label, ' '), padded(end, width - 1, true));
  std::vector<std::string> key;
  for (const auto& [name, letter] : letters.given()) key.push_back(fmt::format("{} {}", letter, name));
  return text + fmt::format("  {}  {}; {}. idle\n", std::string(label, ' '), fmt::join(key, ", "),
                            overlap ? "capitals: every second iteration; " : "");
}

}  // namespace strobe
