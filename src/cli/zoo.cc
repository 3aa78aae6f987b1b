// SPDX-License-Identifier: Apache-2.0
// strobe zoo, strobe zoo path NAME, strobe zoo export NAME
#include "workload/zoo.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "cli/choices.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "option/kinds.h"

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

std::string bare(const std::string& name) {
  return name.starts_with("zoo:") ? name.substr(4) : name;
}

struct ClassesArgument {
  std::string text = "1000";

  void declare(CLI::App& app, const char* help) { app.add_option("--classes", text, help)->type_name("N"); }
  std::int64_t parse() const { return kinds::read_count(text, "--classes", 1, 1'000'000); }
};

// As typed; the words are checked before a long export begins.
struct ExportArguments {
  std::string name, format, device = "cpu", out, batch_max = "256", weights;
  ClassesArgument classes;

  void declare(CLI::App& app) {
    app.add_option("NAME", name, "for example resnet50")->required();
    one_of(app,
           app.add_option("--format", format, "pt (TorchScript) or pt2 (compiled by AOTInductor)")
               ->type_name("WORD")
               ->required(),
           {"pt", "pt2"});
    one_of(app,
           app.add_option("--device", device, "what a .pt2 is compiled for: cpu or cuda; a .pt runs on both")
               ->type_name("DEVICE"),
           {"cpu", "cuda"});
    app.add_option("--out", out, "by default NAME.pt or NAME.pt2 in this folder")->type_name("FILE");
    app.add_option("--batch-max", batch_max, "largest batch of a .pt2 (default 256; 1: that batch alone)")
        ->type_name("N");
    classes.declare(app, "outputs of the last layer (default 1000)");
    app.add_option("--weights", weights,
                   "pretrained ones that torchvision's cache has: DEFAULT, or a name such as IMAGENET1K_V1 (default: "
                   "random ones)")
        ->type_name("WORD");
  }

  ZooExport parse() const {
    ZooExport e{bare(name),      format, device, out, kinds::read_count(batch_max, "--batch-max", 1, INT64_MAX),
                classes.parse(), weights};
    if (!e.weights.empty() && e.classes != kZooClasses)
      throw Error(ErrorCode::usage, "cannot use --weights with --classes",
                  fmt::format("pretrained networks have {} classes", kZooClasses), "Leave one of them out.");
    return e;
  }
};

}  // namespace

Work declare_zoo(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* path = app.add_subcommand("path", "where a model's file is; it is built first where that is possible");
  path->add_option("NAME", *name, "for example resnet18")->required();
  auto classes = std::make_shared<ClassesArgument>();
  classes->declare(*path, "outputs of the last layer (default 1000)");
  auto export_arguments = std::make_shared<ExportArguments>();
  CLI::App* exporting =
      app.add_subcommand("export", "write a model for torch; needs Python with torch and torchvision");
  export_arguments->declare(*exporting);
  const auto act = [=] {
    if (exporting->parsed())
      print_path(export_zoo_model(export_arguments->parse()));
    else if (path->parsed())
      print_path(zoo_path(bare(*name), classes->parse()));
    else
      return list();
    return static_cast<int>(kMeasured);
  };
  return {.act = act};
}

}  // namespace strobe::cli
