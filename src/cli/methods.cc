// SPDX-License-Identifier: Apache-2.0
// strobe methods MODEL
#include "study/methods.h"

#include <CLI/CLI.hpp>

#include <strobe/error.h>

#include "cli/declared.h"
#include "cli/verb.h"
#include "host/interrupt.h"
#include "study/launches.h"
#include "study/library/plans.h"
#include "study/options/tables.h"
#include "workload/model_files.h"
#include "workload/model_table.h"

namespace strobe::cli {

Work declare_methods(CLI::App& app) {
  auto model = std::make_shared<Declared<Model>>(model_table());
  auto methods = std::make_shared<Declared<MethodsOptions>>(methods_table());
  auto output = std::make_shared<OutputArguments>();
  model->declare(app);
  methods->declare(app);
  output->declare(app, study_info(verb::methods));
  const auto record = [=] {
    const OpenOptions open = open_options(model->read());
    MethodsOptions o = methods->read();
    o.progress = output->progress();
    o.stop = [] { return Interrupt::requested(); };
    MethodsPlan plan = plan_methods(open, o);
    output->check_inputs(files_read(open));
    plan.open.log = output->log();
    plan.salvage = output->salvage;
    return methods_launches(plan);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
