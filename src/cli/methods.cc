// SPDX-License-Identifier: Apache-2.0
// strobe methods MODEL
#include "study/methods.h"

#include <CLI/CLI.hpp>

#include <strobe/error.h>

#include "base/parse.h"
#include "cli/arguments.h"
#include "cli/choices.h"
#include "cli/verb.h"
#include "host/interrupt.h"
#include "study/library/plans.h"
#include "workload/model_files.h"

namespace strobe::cli {

Work declare_methods(CLI::App& app) {
  struct Arguments {
    ModelArguments model;
    std::string warmup, requests, only, max_time;
  };
  auto a = std::make_shared<Arguments>();
  auto output = std::make_shared<OutputArguments>();
  a->model.declare(app);
  begin_group(app, "Which methods, how often");
  app.add_option("--methods", a->only, "only these, for example naive,sync,event")->type_name("LIST");
  app.add_option("--warmup", a->warmup, "requests before those that count (default 5)")->type_name("N");
  app.add_option("--requests", a->requests, "requests that count, for each method (default 45)")->type_name("N");
  app.add_option("--max-time", a->max_time, "end with what there is once this is over")->type_name("TIME");
  output->declare(app, study_info(verb::methods));
  const auto record = [=] {
    const OpenOptions open = a->model.parse();
    MethodsOptions o;
    if (!a->warmup.empty()) o.warmup = static_cast<std::size_t>(parse_count(0, a->warmup, "--warmup"));
    if (!a->requests.empty()) o.requests = static_cast<std::size_t>(parse_count(5, a->requests, "--requests"));
    if (!a->only.empty()) {
      for (const std::string_view name : split(a->only, ',')) o.methods.emplace_back(name);
    }
    if (!a->max_time.empty()) o.max_time = parse_max_time(a->max_time);
    o.progress = output->progress();
    o.stop = [] { return Interrupt::requested(); };
    MethodsPlan plan = plan_methods(open, o);
    output->check_inputs(files_read(open));
    plan.open.log = output->log();
    plan.salvage = output->salvage;
    return compare_methods(plan);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
