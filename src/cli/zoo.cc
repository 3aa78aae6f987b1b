// strobe zoo, strobe zoo path NAME
#include "workload/zoo.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/format.h"
#include "cli/output.h"
#include "cli/verb.h"

namespace strobe::cli {
namespace {

int list() {
  std::string text =
      fmt::format("{:<26} {:>12}  {:<14} {:<9} {}\n", "name", "parameters", "shape", "file", "what it is");
  for (const ZooModel& m : zoo_models()) {
    const auto file = find_zoo_model(m.name);
    std::error_code code;
    const std::string size = file ? format_bytes(Bytes{std::filesystem::file_size(*file, code)}) : "not built";
    text += fmt::format("{:<26} {:>12}  {:<14} {:<9} {}\n", "zoo:" + m.name, format_count(m.parameters), m.shape, size,
                        m.about);
  }
  print(text);
  return kMeasured;
}

}  // namespace

Work declare_zoo(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* path = app.add_subcommand("path", "where a model's file is; it is built first where that is possible");
  path->add_option("NAME", *name, "for example resnet18")->required();
  const auto act = [=] {
    if (!path->parsed()) return list();
    print(fmt::format("{}\n", zoo_path(name->starts_with("zoo:") ? name->substr(4) : *name).string()));
    return static_cast<int>(kMeasured);
  };
  return {.act = act};
}

}  // namespace strobe::cli
