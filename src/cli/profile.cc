// SPDX-License-Identifier: Apache-2.0
// strobe profile MODEL
#include "study/profile/profile.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "cli/choices.h"
#include "cli/declared.h"
#include "cli/nsight.h"
#include "cli/shell_line.h"
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

// Another program looks inside: Nsight Systems or Nsight Compute.
struct NsightArguments {
  bool nsys = false, ncu = false, run = false, dla = false;
  std::string kernels_of;

  bool given() const { return nsys || ncu; }
  const char* name() const { return nsys ? "--nsys" : "--ncu"; }
};

constexpr std::size_t kHottestKernels = 5;

void declare(CLI::App& app, NsightArguments& n) {
  begin_group(app, "By NVIDIA's tools (docs/nsight.md)");
  app.add_flag("--nsys", n.nsys, "print the command line of Nsight Systems for a few requests of this model");
  app.add_flag("--ncu", n.ncu, "print that of Nsight Compute");
  app.add_flag("--run", n.run, "with one of these: run it");
  app.add_option("--kernels-of", n.kernels_of, "with --ncu: only the hottest kernels of this stored profile")
      ->type_name("RECORD");
  app.add_flag("--dla", n.dla, "with --nsys: also what deep-learning accelerators do");
}

// What neither tool would hear of is refused, not dropped.
void check_nsight(const CLI::App& app, const NsightArguments& n) {
  if (n.nsys && n.ncu) throw Error(ErrorCode::usage, "cannot use --nsys with --ncu", {}, "Take one of them.");
  const std::vector<std::string> handed_on{"requests", "nsys", "ncu", "run"};
  for (const CLI::Option* o : app.get_options()) {
    const std::string name = o->get_single_name();
    const bool known = o->get_positional() || is_among(model_table(), name) ||
                       name == (n.nsys ? "dla" : "kernels-of") ||
                       std::find(handed_on.begin(), handed_on.end(), name) != handed_on.end();
    if (o->count() > 0 && !known)
      throw Error(ErrorCode::usage, fmt::format("cannot use {} with {}", o->get_name(), n.name()), {}, "Leave it out.");
  }
}

void check_no_nsight(const NsightArguments& n) {
  const std::pair<bool, const char*> theirs[]{
      {n.run, "--run"}, {n.dla, "--dla"}, {!n.kernels_of.empty(), "--kernels-of"}};
  for (const auto& [given, name] : theirs) {
    if (given)
      throw Error(ErrorCode::usage, fmt::format("cannot use {} without --nsys or --ncu", name), {},
                  "Name the tool, or leave it out.");
  }
}

std::vector<std::string> hottest_kernels(const std::string& file) {
  const Record r = stored(file).record;
  std::vector<std::string> names;
  for (const KernelResult& k : r.profile.kernels) {
    if (names.size() < kHottestKernels) names.push_back(k.name);
  }
  if (names.empty())
    throw Error(ErrorCode::usage, fmt::format("cannot take kernels of '{}'", file), "it is no profile with kernels",
                "Leave --kernels-of out: then all kernels are profiled.");
  return names;
}

int call_nsight(const CLI::App& app, const NsightArguments& n, const Declared<Model>& model,
                const Declared<ProfileOptions>& profile) {
  check_nsight(app, n);
  const std::string name = open_options(model.read()).model;
  NsightPlan plan{.program = std::filesystem::read_symlink("/proc/self/exe").string(),
                  .model = model.words(),
                  .name = name.substr(name.rfind('/') + 1),
                  .requests = profile.read().requests,
                  .accelerators = n.dla};
  if (!n.kernels_of.empty()) plan.kernels = hottest_kernels(n.kernels_of);
  const std::vector<std::string> words = n.nsys ? nsys_words(plan) : ncu_words(plan);
  if (n.run) become(words, n.nsys ? "Nsight Systems" : "Nsight Compute");
  print(shell_line(words) + "\n");
  return kMeasured;
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
  auto nsight = std::make_shared<NsightArguments>();
  declare(app, *nsight);
  output->declare(app, study_info(verb::profile));
  const auto record = [=, &app] {
    check_no_nsight(*nsight);
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
    output->check_inputs(files_read(open), o.save_trace);
    if (!o.save_trace.empty()) check_writable(o.save_trace);
    plan.open.log = output->log();
    return profile_launches(plan);
  };
  return {.record = record,
          .output = output,
          .act = [=, &app] { return call_nsight(app, *nsight, *model, *profile); },
          .acts = [=] { return nsight->given(); }};
}

}  // namespace strobe::cli
