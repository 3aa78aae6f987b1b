// strobe run MODEL
#include "study/run.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include <strobe/error.h>

#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "host/facts.h"
#include "host/file.h"
#include "host/interrupt.h"
#include "study/launches.h"
#include "workload/model_files.h"

namespace strobe::cli {

namespace {

Record launch(const ModelArguments& model, const MeasureArguments& measure, const OutputArguments& output,
              std::int64_t launches) {
  if (!measure.samples.empty())
    throw Error(ErrorCode::usage, "cannot use --samples with --launches", "each launch would overwrite the others");
  LaunchOptions o;
  o.words = {"run"};
  for (const auto& words : {model.words(), measure.words()}) o.words.insert(o.words.end(), words.begin(), words.end());
  o.launches = static_cast<std::size_t>(launches);
  const Options asked = measure.parse();
  o.longest = std::max(asked.min_time.value_or(0ns), asked.max_time.value_or(0ns));
  o.progress = output.progress();
  o.stop = [] { return Interrupt::requested(); };
  Record r = run_launches(o);
  r.command = command_line();
  return r;
}

}  // namespace

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
  output->declare(app);
  const auto record = [=] {
    RunOptions o{model->parse(), measure->parse()};
    output->check_inputs(files_read(o.open), o.measure.samples_file);
    if (!launches->empty()) return launch(*model, *measure, *output, parse_count(2, *launches, "--launches"));
    if (!o.measure.samples_file.empty()) check_writable(o.measure.samples_file);
    o.open.options.log = output->log();
    o.measure.progress = output->progress();
    o.measure.stop = [] { return Interrupt::requested(); };
    o.salvage = output->salvage;
    return run(o);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
