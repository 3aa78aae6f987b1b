// SPDX-License-Identifier: Apache-2.0
// strobe report RECORD...
#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "cli/choices.h"
#include "cli/export_file.h"
#include "cli/nsys_export.h"
#include "cli/output_files.h"
#include "cli/verb.h"
#include "host/file.h"
#include "report/formats.h"

namespace strobe::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> records, exports;
  std::string format;
};

Record read_record(const std::string& file) {
  try {
    return parse_record(read_file(file));
  } catch (const Error& e) {
    // With several files the sentence must say which.
    const bool named = e.thing().find(file) != std::string::npos;
    throw Error(e.code(), named ? e.thing() : fmt::format("{} '{}'", e.thing(), file), e.cause(), e.advice());
  }
}

// Beside the first record: r.json gives r.html.
std::string page_beside(const std::string& record) {
  std::filesystem::path p(record);
  return p.extension() == ".json" ? p.replace_extension(".html").string() : record + ".html";
}

// Kernels of another tool are no record: there is nothing to judge, and no page.
int report_nsys(const ReportArguments& a) {
  for (const std::string& file : a.records) {
    if (is_nsys_export(file) && a.exports.empty() && (a.format.empty() || a.format == "text")) continue;
    throw Error(ErrorCode::usage, fmt::format("cannot report '{}' here", file),
                is_nsys_export(file) ? "kernels that nsys recorded are shown as text" : "it is no export of nsys",
                "Report files of nsys by themselves, without --export and --format.");
  }
  for (const std::string& file : a.records) print(text_of(read_nsys_export(file)));
  return kMeasured;
}

int report(ReportArguments a) {
  if (std::any_of(a.records.begin(), a.records.end(), is_nsys_export)) return report_nsys(a);
  if (a.exports.empty() && a.format.empty()) a.exports.push_back(page_beside(a.records.front()));
  for (const std::string& file : a.exports) check_export(file);  // complains before anything is read
  const Format* shown = a.format.empty() ? nullptr : &format_named(a.format);
  std::vector<OutputFile> outputs;
  for (const std::string& file : a.exports) outputs.push_back({"--export", file});
  check_outputs(outputs, {a.records.begin(), a.records.end()});
  std::vector<Record> records;
  for (const std::string& file : a.records) records.push_back(read_record(file));
  for (const std::string& file : a.exports) {
    write_file(file, exported(file, records));
    if (!shown) print_path(file);
  }
  if (shown) print(render_all(*shown, records, {}));
  return kMeasured;
}

}  // namespace

Work declare_report(CLI::App& app) {
  auto a = std::make_shared<ReportArguments>();
  app.add_option("RECORD", a->records,
                 "stored records (--json FILE of the other verbs), or what nsys exported: x.sqlite")
      ->required();
  app.add_option("--export", a->exports,
                 "write to FILE, in the format of its suffix; repeatable; by default a page next to the first record")
      ->type_name("FILE")
      ->allow_extra_args(false);
  suggest(app,
          app.add_option("--format", a->format, fmt::format("print instead: {}", format_names()))->type_name("WORD"),
          format_words());
  return {.act = [=] { return report(*a); }};
}

}  // namespace strobe::cli
