// SPDX-License-Identifier: Apache-2.0
// strobe run MODEL
#include "study/run.h"

#include <CLI/CLI.hpp>

#include <strobe/error.h>

#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "host/file.h"
#include "host/interrupt.h"
#include "study/launches.h"
#include "study/library/plans.h"
#include "workload/model_files.h"

namespace strobe::cli {

Work declare_run(CLI::App& app) {
  auto model = std::make_shared<ModelArguments>();
  auto measure = std::make_shared<MeasureArguments>();
  auto output = std::make_shared<OutputArguments>();
  auto launches = std::make_shared<std::string>();
  model->declare(app);
  measure->declare(app);
  app.add_option("--launches", *launches, "measure N times, each in a fresh process: intervals across launches")
      ->type_name("N")
      ->group("How long");
  output->declare(app, study_info(verb::run));
  const auto record = [=] {
    Options asked = measure->parse();
    if (!launches->empty()) asked.launches = static_cast<std::size_t>(parse_count(2, *launches, "--launches"));
    asked.progress = output->progress();
    asked.stop = [] { return Interrupt::requested(); };
    RunOptions o = plan_run(model->parse(), asked);
    output->check_inputs(files_read(o.open), o.measure.samples_file);
    if (asked.launches) return run_launches(o.open, o.measure);
    if (!o.measure.samples_file.empty()) check_writable(o.measure.samples_file);
    o.open.log = output->log();
    o.salvage = output->salvage;
    return run(o);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
