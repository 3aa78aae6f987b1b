#include "report/formats.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "report/delimited.h"
#include "report/text.h"

namespace strobe {
namespace {

constexpr std::array kFormats{
    Format{"text", ".txt", render_text},
    Format{"json", ".json", [](const Record& r, const RenderOptions&) { return json(r); }},
    Format{"csv", ".csv", render_csv},
    Format{"md", ".md", render_markdown},
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

const Format& format_of_file(const std::string& file) {
  std::vector<std::string_view> suffixes;
  for (const Format& f : kFormats) {
    if (file.ends_with(f.suffix)) return f;
    suffixes.push_back(f.suffix);
  }
  throw Error(ErrorCode::usage, fmt::format("cannot tell the format of '{}'", file), {},
              fmt::format("End the name in one of {}.", fmt::join(suffixes, ", ")));
}

std::string format_names() {
  std::vector<std::string_view> names;
  for (const Format& f : kFormats) names.push_back(f.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace strobe
