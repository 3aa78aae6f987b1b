// The program: finds the verb, runs it, and turns every failure into one sentence and an exit code.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>
#include <sstream>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "base/printable.h"
#include "cli/verb.h"
#include "cli/watch.h"

namespace strobe::cli {
namespace {

// On a terminal a line of progress may stand there.
void complain(std::string_view sentence) {
  fmt::print(stderr, "{}strobe: {}\n", takes_sequences(STDERR_FILENO) ? "\r\x1b[K" : "", printable(sentence));
}

int exit_code(const Error& e) {
  switch (e.code()) {
    case ErrorCode::usage:
    case ErrorCode::invalid_method:
      return kUsage;
    case ErrorCode::interrupted:
      return kInterrupted;
    default:
      return kCannot;
  }
}

// CLI11's messages, as one sentence with a way on.
int usage_error(const CLI::App& app, const CLI::ParseError& e, const std::vector<std::string>& words) {
  const CLI::App* verb = &app;
  for (const CLI::App* sub : app.get_subcommands()) verb = sub;
  std::vector<std::string> below;
  for (const CLI::App* sub : verb->get_subcommands({})) below.push_back(sub->get_name());
  std::vector<std::string> known;
  for (const CLI::Option* o : verb->get_options()) {
    for (const std::string& name : o->get_lnames()) known.push_back("--" + name);
  }
  for (const CLI::App* sub : app.get_subcommands({})) known.push_back(sub->get_name());
  std::string hint;
  for (std::size_t i = 0; i < words.size() && hint.empty(); ++i) {
    const std::string word = words[i].substr(0, words[i].find('='));
    const bool unknown = std::find(known.begin(), known.end(), word) == known.end();
    if (unknown && (word.starts_with("--") || i == 0)) hint = did_you_mean(word, known);
  }
  std::string message = e.what();
  // CLI11 lists every word it did not expect; the first one is the one to mend.
  const auto unknown = std::find_if(words.begin(), words.end(), [&](const std::string& w) {
    return w.starts_with("--") && std::find(known.begin(), known.end(), w.substr(0, w.find('='))) == known.end();
  });
  if (verb == &app && !words.empty() && !words[0].starts_with("-"))
    message = fmt::format("there is no verb '{}'", words[0].substr(0, 40));
  else if (words.size() > 1 && !below.empty() && !words[1].starts_with("-") &&
           std::find(below.begin(), below.end(), words[1]) == below.end())
    message = fmt::format("there is no '{}' behind '{}'", words[1].substr(0, 40), words[0]),
    hint = did_you_mean(words[1], below);
  else if (unknown != words.end())
    message = fmt::format("there is no option '{}'", unknown->substr(0, 40));
  std::replace(message.begin(), message.end(), '\n', ' ');
  complain(fmt::format("{}.{} '{} --help' lists the options.", trim(message), hint,
                       verb == &app ? "strobe" : "strobe " + verb->get_name()));
  return kUsage;
}

int run_program(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto parsed = declare_all();
  try {
    parse_into(*parsed, words);
  } catch (const CLI::Success& e) {
    std::ostringstream out;
    app_of(*parsed).exit(e, out, out);
    print(out.str());
    return kMeasured;
  } catch (const CLI::ParseError& e) {
    return usage_error(app_of(*parsed), e, words);
  }
  const Work& work = work_of(*parsed);
  if (work.act) return work.act();
  work.output->check();
  Watch watch(*work.output);
  work.output->watch = &watch;
  work.output->salvage = &watch.salvage;
  Record record = work.output->sweeps.empty() ? work.record() : sweep(words, *work.output);
  return watch.deliver(record);
}

}  // namespace
}  // namespace strobe::cli

int main(int argc, char** argv) {
  using namespace strobe;
  std::signal(SIGPIPE, SIG_IGN);  // a closed stdout is an error to report, not a reason to die
  try {
    return cli::run_program(argc, argv);
  } catch (const Error& e) {
    cli::complain(e.what() +
                  std::string(e.advice().empty() ? "." : ""));  // advice brings its own; it may be a word to paste
    return cli::exit_code(e);
  } catch (const std::bad_alloc&) {
    cli::complain("out of memory. Use a smaller batch or shape.");
  } catch (const std::exception& e) {
    cli::complain(fmt::format("cannot go on: {}", e.what()));
  }
  return cli::kCannot;
}
