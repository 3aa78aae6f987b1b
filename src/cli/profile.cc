// SPDX-License-Identifier: Apache-2.0
// strobe profile MODEL
#include "study/profile/profile.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "cli/choices.h"
#include "cli/declared.h"
#include "cli/verb.h"
#include "host/file.h"
#include "host/interrupt.h"
#include "study/library/plans.h"
#include "study/options/tables.h"
#include "study/profile/profile_diff.h"
#include "workload/model_files.h"
#include "workload/model_table.h"

namespace strobe::cli {

namespace {

template <class T>
bool is_among(std::span<const Option<T>> table, const std::string& name) {
  return std::any_of(table.begin(), table.end(), [&](const Option<T>& o) { return o.name == name; });
}

StoredRecord stored(const std::string& file) {
  return {file, parse_record(read_file(file))};
}

// What was recorded cannot be recorded otherwise.
void check_diff(const CLI::App& app) {
  for (const CLI::Option* o : app.get_options()) {
    const std::string name = o->get_single_name();
    const bool measures = o->get_positional() || is_among(model_table(), name) || is_among(profile_table(), name);
    if (o->count() > 0 && measures)
      throw Error(ErrorCode::usage, fmt::format("cannot use {} with --diff", o->get_name()),
                  "both profiles are stored");
  }
}

struct DiffArguments {
  std::vector<std::string> files;
  CompareRecordsOptions how;
};

void declare(CLI::App& app, DiffArguments& d) {
  begin_group(app, "Two stored profiles");
  app.add_option("--diff", d.files, "layer by layer, instead of a model")->type_name("BEFORE AFTER")->expected(2);
  app.add_option("--allow", d.how.allow, "they may differ in this setting: threads; repeatable")
      ->type_name("SETTING")
      ->allow_extra_args(false);
  app.add_flag("--force", d.how.force, "compare them although their conditions differ");
  app.get_option("MODEL")->required(false);  // two records need none
}

}  // namespace

Work declare_profile(CLI::App& app) {
  auto model = std::make_shared<Declared<Model>>(model_table());
  auto profile = std::make_shared<Declared<ProfileOptions>>(profile_table());
  auto output = std::make_shared<OutputArguments>();
  model->declare(app);
  profile->declare(app);
  auto diff = std::make_shared<DiffArguments>();
  declare(app, *diff);
  output->declare(app, study_info(verb::profile));
  const auto record = [=, &app] {
    if (!diff->files.empty()) {
      check_diff(app);
      output->check_inputs({diff->files.begin(), diff->files.end()});
      return compare_profiles(stored(diff->files.front()), stored(diff->files.back()), diff->how);
    }
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
