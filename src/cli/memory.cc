// SPDX-License-Identifier: Apache-2.0
// strobe memory MODEL
#include "study/memory/memory.h"

#include <CLI/CLI.hpp>

#include "cli/declared.h"
#include "cli/verb.h"
#include "host/interrupt.h"
#include "study/library/plans.h"
#include "study/options/tables.h"
#include "workload/model_files.h"
#include "workload/model_table.h"

namespace strobe::cli {

Work declare_memory(CLI::App& app) {
  auto model = std::make_shared<Declared<Model>>(model_table());
  auto memory = std::make_shared<Declared<MemoryOptions>>(memory_table());
  auto output = std::make_shared<OutputArguments>();
  model->declare(app);
  memory->declare(app);
  output->declare(app, study_info(verb::memory));
  const auto record = [=] {
    const OpenOptions open = open_options(model->read());
    MemoryOptions o = memory->read();
    o.progress = output->progress();
    o.stop = [] { return Interrupt::requested(); };
    MemoryPlan plan = plan_memory(open, o);
    output->check_inputs(files_read(open));
    plan.open.log = output->log();
    return memory_launches(plan);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
