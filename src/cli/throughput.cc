// SPDX-License-Identifier: Apache-2.0
// strobe throughput MODEL
#include "study/search/throughput.h"

#include <CLI/CLI.hpp>

#include "cli/declared.h"
#include "cli/verb.h"
#include "host/interrupt.h"
#include "study/library/plans.h"
#include "study/options/tables.h"
#include "workload/model_files.h"
#include "workload/model_table.h"

namespace strobe::cli {

Work declare_throughput(CLI::App& app) {
  auto model = std::make_shared<Declared<Model>>(model_table());
  auto search = std::make_shared<Declared<ThroughputOptions>>(throughput_table());
  auto output = std::make_shared<OutputArguments>();
  model->declare(app);
  app.get_option("--batch")->group("");  // refused with the reason, and not offered
  search->declare(app);
  output->declare(app, study_info(verb::throughput));
  const auto record = [=] {
    const OpenOptions open = open_options(model->read());
    ThroughputOptions o = search->read();
    o.progress = output->progress();
    o.stop = [] { return Interrupt::requested(); };
    const ThroughputPlan plan = plan_throughput(open, o);
    output->check_inputs(files_read(open));
    return throughput(plan);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
