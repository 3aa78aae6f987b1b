// SPDX-License-Identifier: Apache-2.0
// strobe audit FILE
#include "study/audit.h"

#include <CLI/CLI.hpp>

#include <strobe/error.h>

#include "cli/choices.h"
#include "cli/verb.h"

namespace strobe::cli {
Work declare_audit(CLI::App& app) {
  auto o = std::make_shared<AuditPlan>();
  auto times = std::make_shared<std::string>();
  auto output = std::make_shared<OutputArguments>();
  app.add_option("RECORD", o->file, "a stored record, to be judged again");
  begin_group(app, "Times from another tool");
  app.add_option("--times", *times, "times from any tool instead: a column, or the tool's JSON")->type_name("FILE");
  auto decimal = std::make_shared<std::string>();
  suggest(app,
          app.add_option("--unit", o->reading.unit, "of numbers without one: ns, us, ms or s (default s)")
              ->type_name("WORD"),
          {"ns", "us", "ms", "s"});
  app.add_option("--column", o->reading.column, "which column of a table: its heading or its number")
      ->type_name("NAME|N");
  suggest(app,
          app.add_option("--decimal", *decimal, "the decimal sign of the numbers: point or comma (default: recognised)")
              ->type_name("WORD"),
          {"point", "comma"});
  app.add_option("--name", o->reading.name, "which benchmark or pass, where the file holds several")->type_name("NAME");
  output->declare(app, study_info(verb::audit));
  const auto record = [=] {
    AuditPlan options = *o;
    if (options.file.empty() == times->empty())
      throw Error(ErrorCode::usage, "cannot tell what to audit",
                  options.file.empty() ? "no file is named" : "two files are named",
                  "Take 'strobe audit RECORD.json' or 'strobe audit --times FILE'.");
    options.times = !times->empty();
    if (options.times) options.file = *times;
    options.reading.decimal = decimal_sign(*decimal);
    const ForeignTimesOptions& r = options.reading;
    if (!options.times && !(r.unit.empty() && r.name.empty() && r.column.empty() && decimal->empty()))
      throw Error(ErrorCode::usage, "cannot use --unit, --column, --decimal or --name with a record",
                  "they belong to --times");
    output->check_inputs({options.file});
    options.progress = output->progress();
    return audit(options);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
