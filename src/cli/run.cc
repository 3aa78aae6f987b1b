// SPDX-License-Identifier: Apache-2.0
// strobe run MODEL
#include "study/run.h"

#include <CLI/CLI.hpp>

#include <strobe/error.h>

#include "cli/declared.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "host/file.h"
#include "host/interrupt.h"
#include "study/launches.h"
#include "study/library/plans.h"
#include "study/options/tables.h"
#include "workload/model_files.h"
#include "workload/model_table.h"

namespace strobe::cli {

Work declare_run(CLI::App& app) {
  auto model = std::make_shared<Declared<Model>>(model_table());
  auto measure = std::make_shared<Declared<Options>>(measure_table());
  auto output = std::make_shared<OutputArguments>();
  model->declare(app);
  measure->declare(app);
  output->declare(app, study_info(verb::run));
  const auto record = [=] {
    Options asked = measure->read();
    asked.progress = output->progress();
    asked.stop = [] { return Interrupt::requested(); };
    RunOptions o = plan_run(open_options(model->read()), asked);
    output->check_inputs(files_read(o.open), o.measure.samples);
    if (!o.measure.samples.empty()) check_writable(o.measure.samples);
    o.open.log = output->log();
    o.salvage = output->salvage;
    return run_launches(o);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
