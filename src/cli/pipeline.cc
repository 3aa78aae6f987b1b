// SPDX-License-Identifier: Apache-2.0
// strobe pipeline FILE.yaml
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "cli/declared.h"
#include "cli/pipeline_file.h"
#include "cli/verb.h"
#include "device/open_device.h"
#include "host/file.h"
#include "host/interrupt.h"
#include "study/options/tables.h"
#include "study/pipeline/pipeline_launches.h"
#include "workload/model_files.h"

namespace strobe::cli {
namespace {

std::vector<std::filesystem::path> files_of(const std::string& file, const PipelinePlan& plan) {
  std::vector<std::filesystem::path> files{file};
  for (const StagePlan& stage : plan.stages) {
    if (const auto* function = std::get_if<FunctionTask>(&stage.task)) files.emplace_back(function->library);
    const auto* model = std::get_if<Model>(&stage.task);
    if (!model) continue;
    for (std::filesystem::path& part : files_read(*model)) files.push_back(std::move(part));
  }
  return files;
}

}  // namespace

Work declare_pipeline(CLI::App& app) {
  struct Arguments {
    std::string file, device;
    Declared<PipelineOptions> how{pipeline_table()};
  };
  auto a = std::make_shared<Arguments>();
  auto output = std::make_shared<OutputArguments>();
  app.add_option("FILE", a->file, "what the pipeline consists of, as YAML (docs/pipeline.md)")->required();
  begin_group(app, "On what, and how long");
  suggest(app,
          app.add_option("--device", a->device, "instead of the file's: auto, cpu, cuda, cuda:N or sim:key=value,…")
              ->type_name("DEVICE"),
          {"auto", "cpu", "cuda"});
  a->how.declare(app);
  output->declare(app, study_info(verb::pipeline));
  const auto record = [=] {
    PipelineStudy study;
    study.file = a->file;
    study.plan = read_pipeline(a->file);
    if (std::filesystem::is_regular_file(a->file)) study.sha256 = sha256_of_file(a->file);  // a pipe is read once
    output->check_inputs(files_of(a->file, study.plan));
    if (!a->device.empty()) {
      parse_device(a->device);
      study.plan.device = a->device;
    }
    study.how = a->how.read();
    study.how.progress = output->progress();
    study.how.stop = [] { return Interrupt::requested(); };
    study.log = output->log();
    study.salvage = output->salvage;
    return pipeline_launches(study);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
