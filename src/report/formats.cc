// SPDX-License-Identifier: Apache-2.0
#include "report/formats.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "record/printable_record.h"
#include "report/delimited.h"
#include "report/gbench.h"
#include "report/html.h"
#include "report/prom.h"
#include "report/text/text.h"
#include "report/trace_events.h"

namespace strobe {
namespace {

// For formats that a terminal may show; HTML and JSON have ways of their own to say what must not be obeyed.
template <std::string (*Render)(const Record&, const RenderOptions&)>
std::string plainly(const Record& r, const RenderOptions& o) {
  return Render(printable(r), o);
}

template <std::string (*Of)(std::span<const Record>)>
std::string plainly(std::span<const Record> records) {
  std::vector<Record> shown;
  for (const Record& r : records) shown.push_back(printable(r));
  return Of(shown);
}

template <std::string (*Render)(const Record&, const RenderOptions&)>
std::string one_after_the_other(std::span<const Record> records) {
  std::string text;
  for (const Record& r : records) text += (text.empty() ? "" : "\n") + Render(r, {});
  return text;
}

template <std::string (*Of)(std::span<const Record>)>
std::string alone(const Record& r, const RenderOptions&) {
  return Of({&r, 1});
}

std::string json_alone(const Record& r, const RenderOptions&) {
  return json(r);
}

constexpr std::array kFormats{
    Format{"text", ".txt", render_text, one_after_the_other<render_text>},
    Format{"json", ".json", json_alone, nullptr},
    Format{"csv", ".csv", alone<plainly<csv_of>>, plainly<csv_of>},
    Format{"md", ".md", plainly<render_markdown>, one_after_the_other<plainly<render_markdown>>},
    Format{"html", ".html", alone<html_of>, html_of},
    Format{"gbench", ".gbench.json", alone<gbench_of>, gbench_of},
    Format{"trace", ".trace.json", alone<trace_events_of>, trace_events_of},
    Format{"prom", ".prom", alone<plainly<prom_of>>, plainly<prom_of>},
};

}  // namespace

const Format& format_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Format& f : kFormats) {
    if (f.name == name) return f;
    names.emplace_back(f.name);
  }
  throw Error(ErrorCode::usage, fmt::format("unknown --format '{}'", name.substr(0, 40)), {},
              fmt::format("Take one of {}.{}", fmt::join(names, ", "), did_you_mean(name, names)));
}

// The longest suffix decides: ".gbench.json" is no ".json".
const Format& format_of_file(const std::string& file) {
  std::vector<std::string_view> suffixes;
  const Format* best = nullptr;
  for (const Format& f : kFormats) {
    if (file.ends_with(f.suffix) && (!best || f.suffix.size() > best->suffix.size())) best = &f;
    suffixes.push_back(f.suffix);
  }
  if (best) return *best;
  throw Error(ErrorCode::usage, fmt::format("cannot tell the format of '{}'", file), {},
              fmt::format("End the name in one of {}.", fmt::join(suffixes, ", ")));
}

std::string render_all(const Format& format, std::span<const Record> records, const RenderOptions& options) {
  if (records.size() == 1) return format.render(records[0], options);
  if (format.together) return format.together(records);
  throw Error(ErrorCode::usage, fmt::format("cannot write {} records as {}", records.size(), format.name),
              "it holds one record", "Name one record, or take another format.");
}

std::vector<std::string> format_words() {
  std::vector<std::string> names;
  for (const Format& f : kFormats) names.emplace_back(f.name);
  return names;
}

std::string format_names() {
  return fmt::format("{}", fmt::join(format_words(), ", "));
}

}  // namespace strobe
