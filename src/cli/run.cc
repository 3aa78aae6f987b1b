// strobe run MODEL
#include "study/run.h"

#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "host/file.h"
#include "host/interrupt.h"

namespace strobe::cli {

Work declare_run(CLI::App& app) {
  auto model = std::make_shared<ModelArguments>();
  auto measure = std::make_shared<MeasureArguments>();
  auto output = std::make_shared<OutputArguments>();
  model->declare(app), measure->declare(app), output->declare(app);
  const auto record = [=] {
    RunOptions o{model->parse(), measure->parse()};
    if (!o.measure.samples_file.empty()) check_writable(o.measure.samples_file);
    o.open.options.log = output->log();
    o.measure.progress = output->progress();
    o.measure.stop = [] { return Interrupt::requested(); };
    return run(o);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
