// The program: finds the verb, runs it, and turns every failure into one sentence and an exit code.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "base/build_info.h"
#include "base/parse.h"
#include "cli/verb.h"

namespace strobe::cli {
namespace {

// On a terminal a line of progress may stand there.
void complain(std::string_view sentence) { fmt::print(stderr, "{}strobe: {}\n", ::isatty(STDERR_FILENO) ? "\r\x1b[K" : "", sentence); }

int exit_code(const Error& e) {
  switch (e.code()) {
    case ErrorCode::usage:
    case ErrorCode::invalid_method: return kUsage;
    case ErrorCode::interrupted: return kInterrupted;
    default: return kCannot;
  }
}

// CLI11's messages, as one sentence with a way on.
int usage_error(const CLI::App& app, const CLI::ParseError& e, int argc, char** argv) {
  const CLI::App* verb = &app;
  for (const CLI::App* sub : app.get_subcommands()) verb = sub;
  std::vector<std::string> known;
  for (const CLI::Option* o : verb->get_options()) {
    for (const std::string& name : o->get_lnames()) known.push_back("--" + name);
  }
  for (const CLI::App* sub : app.get_subcommands({})) known.push_back(sub->get_name());
  std::string hint;
  for (int i = 1; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    const bool unknown = std::find(known.begin(), known.end(), word) == known.end();
    if (unknown && (word.starts_with("--") || i == 1) && hint.empty()) hint = did_you_mean(word, known);
  }
  std::string message = e.what();
  std::replace(message.begin(), message.end(), '\n', ' ');
  complain(fmt::format("{}.{} '{} --help' lists the options.", trim(message), hint, verb == &app ? "strobe" : "strobe " + verb->get_name()));
  return kUsage;
}

int run_program(int argc, char** argv) {
  CLI::App app("Measures neural-network inference, and says whether to believe the number.", "strobe");
  app.set_version_flag("--version", fmt::format("strobe {} ({}, {})", kVersion, kCommit, kBuildType));
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  std::vector<std::pair<CLI::App*, std::function<int()>>> declared;
  for (const Verb& v : verbs()) {
    CLI::App* sub = app.add_subcommand(std::string(v.name), std::string(v.summary));
    declared.emplace_back(sub, v.declare(*sub));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    return usage_error(app, e, argc, argv);
  }
  for (const auto& [sub, work] : declared) {
    if (sub->parsed()) return work();
  }
  return kUsage;
}

}  // namespace
}  // namespace strobe::cli

int main(int argc, char** argv) {
  using namespace strobe;
  std::signal(SIGPIPE, SIG_IGN);   // a closed stdout is an error to report, not a reason to die
  try {
    return cli::run_program(argc, argv);
  } catch (const Error& e) {
    cli::complain(e.what());
    return cli::exit_code(e);
  } catch (const std::bad_alloc&) {
    cli::complain("out of memory. Use a smaller batch or shape.");
  } catch (const std::exception& e) {
    cli::complain(fmt::format("cannot go on: {}", e.what()));
  }
  return cli::kCannot;
}
