// SPDX-License-Identifier: Apache-2.0
#include "cli/export_file.h"

#include <cstdlib>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "host/library.h"
#include "host/process.h"
#include "report/formats.h"
#include "report/trace_events.h"

namespace strobe::cli {
namespace {

bool is_pftrace(const std::string& file) {
  return file.ends_with(".pftrace");
}

// From trace events, by src/cli/pftrace.py: its format is defined by a package of Perfetto's alone.
std::string pftrace_of(const std::string& file, std::span<const Record> records) {
  const char* set = std::getenv("STROBE_PYTHON");
  const std::string python = set && *set ? set : "python3";
  const auto helper = library_folder().parent_path() / "share" / "strobe" / "python" / "pftrace.py";
  const ProcessResult r = run_process({python, helper.string()}, {}, trace_events_of(records));
  if (r.exit_code == 0) return r.out;
  std::string_view said = trim(r.err);
  said.remove_prefix(said.rfind('\n') + 1);
  const bool missing = said.find("No module named") != std::string_view::npos;
  throw Error(missing ? ErrorCode::not_found : ErrorCode::failed,
              fmt::format("cannot write '{}' with {}", file, python), std::string(said),
              missing
                  ? fmt::format("Type '{} -m pip install perfetto', or set STROBE_PYTHON to an interpreter that has "
                                "it; .trace.json needs no package.",
                                python)
                  : "Take .trace.json, which Perfetto opens, too.");
}

}  // namespace

void check_export(const std::string& file) {
  if (!is_pftrace(file)) format_of_file(file);
}

std::string exported(const std::string& file, std::span<const Record> records) {
  return is_pftrace(file) ? pftrace_of(file, records) : render_all(format_of_file(file), records, {});
}

}  // namespace strobe::cli
