// strobe audit FILE
#include "study/audit.h"

#include <CLI/CLI.hpp>

#include <strobe/error.h>

#include "cli/verb.h"

namespace strobe::cli {

Work declare_audit(CLI::App& app) {
  auto o = std::make_shared<AuditOptions>();
  auto times = std::make_shared<std::string>();
  auto output = std::make_shared<OutputArguments>();
  app.add_option("RECORD", o->file, "a stored record, to be judged anew");
  app.add_option("--times", *times, "times from any tool instead: a column, or the tool's JSON")->type_name("FILE");
  app.add_option("--unit", o->unit, "of a plain column: ns, us, ms or s (default s)")->type_name("WORD");
  app.add_option("--name", o->name, "which benchmark, where the file holds several")->type_name("NAME");
  output->declare(app);
  const auto record = [=] {
    AuditOptions options = *o;
    if (options.file.empty() == times->empty())
      throw Error(ErrorCode::usage, "cannot tell what to audit",
                  options.file.empty() ? "no file is named" : "two files are named",
                  "Take 'strobe audit RECORD.json' or 'strobe audit --times FILE'.");
    options.times = !times->empty();
    if (options.times) options.file = *times;
    if (!options.times && !(options.unit.empty() && options.name.empty()))
      throw Error(ErrorCode::usage, "cannot use --unit or --name with a record", "they belong to --times");
    output->check_inputs({options.file});
    return audit(options);
  };
  return {.record = record, .output = output};
}

}  // namespace strobe::cli
