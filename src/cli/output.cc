// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <system_error>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "base/printable.h"
#include "cli/choices.h"
#include "cli/export_file.h"
#include "cli/output_files.h"
#include "cli/verb.h"
#include "cli/watch.h"
#include "host/file.h"
#include "record/metric_info.h"
#include "record/outcome_words.h"
#include "report/formats.h"
#include "report/text/text.h"

namespace strobe::cli {
namespace {

bool wants_color(const std::string& mode) {
  if (mode == "always") return true;
  const char* no_color = std::getenv("NO_COLOR");
  return mode == "auto" && takes_sequences(STDOUT_FILENO) && !(no_color && *no_color);
}

// A verdict, or a metric that has to repeat.
std::vector<std::string> required_words() {
  std::vector<std::string> words{"trusted", "caution"};
  for (const MetricInfo& m : all_metrics()) words.emplace_back(m.name);
  return words;
}

bool meets(const std::string& required, const Record& r) {
  if (required == "trusted") return r.verdict == Verdict::trusted;
  if (required.empty() || required == "caution") return true;
  const Metric* m = r.find(required);
  return m && m->verdict && m->verdict->word == Repeat::repeats;
}

}  // namespace

bool takes_sequences(int descriptor) {
  const char* term = std::getenv("TERM");
  return ::isatty(descriptor) && !(term && std::string_view(term) == "dumb");
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  throw Error(ErrorCode::unwritable, "cannot write to standard output", std::generic_category().message(errno));
}

void print_path(const std::filesystem::path& path) {
  print((::isatty(STDOUT_FILENO) ? printable(path.string()) : path.string()) + "\n");
}

void OutputArguments::declare(CLI::App& app, const StudyInfo& study) {
  no_sweep = study.no_sweep;
  begin_group(app, "Where results go");
  suggest(app,
          app.add_option("--format", format, fmt::format("of standard output: {}", format_names()))->type_name("WORD"),
          format_words());
  app.add_option("--export", exports, "write the result to FILE, in the format of its suffix; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
  CLI::Option* sweep = app.add_option("--sweep", sweeps, "one case for each value of an option: batch=1,8; repeatable")
                           ->type_name("OPTION=LIST")
                           ->allow_extra_args(false);
  if (!no_sweep.empty()) sweep->group("");  // refused with the reason, and not offered
  app.add_option("--json", json, "write the record to FILE; with - standard output is the record alone")
      ->type_name("FILE");
  suggest(
      app,
      app.add_option("--require", require,
                     "exit 1 unless the verdict is at least this, trusted or caution, or unless this metric repeats")
          ->type_name("WORD"),
      required_words());
  one_of(app, app.add_option("--color", color, "auto, always or never")->type_name("WORD"),
         {"auto", "always", "never"});
  app.add_flag("--explain", explain, "explain each metric below its result");
  app.add_flag("--verbose", verbose, "every finding with its message and advice");
  app.add_flag("--quiet", quiet, "no progress, no warnings of the runtime");
  app.add_flag("--no-progress", no_progress, "no progress");
}

void OutputArguments::check() const {
  format_named(format);
  const auto words = required_words();
  if (!require.empty() && std::find(words.begin(), words.end(), require) == words.end())
    throw Error(ErrorCode::usage, fmt::format("--require '{}' is unknown", require), {},
                "Take trusted or caution, or a metric that has to repeat: device_time.");
  if (!sweeps.empty() && !no_sweep.empty())
    throw Error(ErrorCode::usage, "cannot use --sweep here", std::string(no_sweep));
  for (const std::string& file : exports) {
    check_export(file);
    check_writable(file);
  }
  if (!json.empty() && json != "-") check_writable(json);
  check_inputs({});
}

void OutputArguments::check_inputs(const std::vector<std::filesystem::path>& read, const std::string& samples) const {
  std::vector<OutputFile> outputs;
  for (const std::string& file : exports) outputs.push_back({"--export", file});
  if (!json.empty() && json != "-") outputs.push_back({"--json", json});
  if (!samples.empty()) outputs.push_back({"--samples", samples});
  check_outputs(outputs, read);
}

int OutputArguments::deliver(Record& record) const {
  const RenderOptions render{.color = wants_color(color), .explain = explain, .verbose = verbose};
  // One that cannot be written must not take the others with it.
  std::exception_ptr failure;
  const auto attempt = [&](const std::function<void()>& write) {
    try {
      write();
    } catch (const Error&) {
      if (!failure) failure = std::current_exception();
    }
  };
  for (const std::string& file : exports) attempt([&] { write_file(file, exported(file, {&record, 1})); });
  if (!json.empty() && json != "-") attempt([&] { write_file(json, strobe::json(record)); });
  attempt([&] { print(json == "-" ? strobe::json(record) : format_named(format).render(record, render)); });
  if (failure) std::rethrow_exception(failure);
  if (!record.unwritten.empty()) throw Error(ErrorCode::unwritable, record.unwritten);
  if (record.status == Status::interrupted) return record.status_reason.empty() ? kInterrupted : kCannot;
  const auto any = [&](std::string_view outcome) {
    return std::any_of(record.fail_on.begin(), record.fail_on.end(),
                       [&](const FailOn& f) { return f.outcome == outcome; });
  };
  const bool enough = meets(require, record);
  if (record.failed || any(condition_word::failed) || record.verdict == Verdict::invalid || !enough) return kNotUsable;
  if (!record.undecided.empty()) throw Error(ErrorCode::failed, record.undecided);
  if (!any(condition_word::cannot_tell)) return kMeasured;
  for (const FailOn& f : record.fail_on) {
    if (f.outcome == condition_word::cannot_tell)
      fmt::print(stderr, "strobe: cannot tell whether {} meets --fail-on {}: {}.\n", f.candidate, f.condition, f.why);
  }
  return kCannot;
}

ProgressLine::Form OutputArguments::progress_form() const {
  if (quiet || no_progress) return ProgressLine::Form::none;
  return takes_sequences(STDERR_FILENO) ? ProgressLine::Form::rewritten : ProgressLine::Form::patient;
}

std::function<void(const Progress&)> OutputArguments::progress() const {
  if (!watch) return {};
  return [line = &watch->line](const Progress& p) { line->show(p); };
}

std::function<void(const std::string&)> OutputArguments::log() const {
  if (quiet) return {};
  return [](const std::string& line) { fmt::print(stderr, "strobe: {}\n", printable(trim(line))); };
}

}  // namespace strobe::cli
