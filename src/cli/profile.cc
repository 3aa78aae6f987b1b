// SPDX-License-Identifier: Apache-2.0
// strobe profile MODEL
#include "study/profile/profile.h"

#include <CLI/CLI.hpp>

#include "cli/declared.h"
#include "cli/verb.h"
#include "host/interrupt.h"
#include "study/library/plans.h"
#include "study/options/tables.h"
#include "workload/model_files.h"
#include "workload/model_table.h"

namespace strobe::cli {

Work declare_profile(CLI::App& app) {
  auto model = std::make_shared<Declared<Model>>(model_table());
  auto profile = std::make_shared<Declared<ProfileOptions>>(profile_table());
  auto output = std::make_shared<OutputArguments>();
  model->declare(app);
  profile->declare(app);
  output->declare(app, study_info(verb::profile));
  const auto record = [=] {
    const OpenOptions open = open_options(model->read());
    ProfileOptions o = profile->read();
    o.progress = output->progress();
    o.stop = [] { return Interrupt::requested(); };
    ProfilePlan plan = plan_profile(open, o);
    output->check_inputs(files_read(open));
    plan.open.log = output->log();
    return profile_launches(plan);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
