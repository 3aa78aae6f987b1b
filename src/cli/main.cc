// SPDX-License-Identifier: Apache-2.0
// The program: finds the verb, runs it, and turns every failure into one sentence and an exit code.
#include <algorithm>
#include <cctype>
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
#include "cli/foreign_words.h"
#include "cli/verb.h"
#include "cli/watch.h"
#include "device/open_device.h"

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

// Where a command line went wrong.
struct Mistake {
  std::string message, hint;
};

bool holds(const std::vector<std::string>& all, const std::string& word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

std::string without_value(const std::string& word) {
  return word.substr(0, word.find('='));
}

// A word that begins as an option does, and is none of this verb's. -1 is a number.
bool is_unknown_option(const std::string& word, const std::vector<std::string>& options) {
  const bool option = word.size() > 1 && word[0] == '-' && !std::isdigit(static_cast<unsigned char>(word[1]));
  return option && word[1] != '.' && !holds(options, without_value(word));
}

Mistake unknown_verb(const std::string& word, const std::vector<std::string>& verbs) {
  if (const auto answer = answer_foreign_verb(word)) return {*answer, ""};
  return {fmt::format("there is no verb '{}'", word.substr(0, 40)), did_you_mean(word, verbs)};
}

Mistake unknown_option(const std::string& word, const std::vector<std::string>& options) {
  if (const auto answer = answer_foreign_option(word, options)) return {*answer, ""};
  return {fmt::format("there is no option '{}'", without_value(word).substr(0, 40)),
          did_you_mean(without_value(word), options)};
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& apps) {
  std::vector<std::string> names;
  for (const CLI::App* a : apps) names.push_back(a->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& verb) {
  std::vector<std::string> options;
  for (const CLI::Option* o : verb.get_options()) {
    if (o->get_group().empty()) continue;  // refused with a reason of its own
    if (o->get_positional()) options.push_back(o->get_name());
    for (const std::string& name : o->get_lnames()) options.push_back("--" + name);
    for (const std::string& name : o->get_snames()) options.push_back("-" + name);
  }
  return options;
}

Mistake find_mistake(const CLI::App& app, const CLI::App& verb, const CLI::ParseError& e,
                     const std::vector<std::string>& words) {
  const auto filter = [](const CLI::App*) { return true; };
  if (&verb == &app && !words.empty() && !words[0].starts_with("-"))
    return unknown_verb(words[0], names_of(app.get_subcommands(filter)));
  const std::vector<std::string> below = names_of(verb.get_subcommands(filter));
  if (words.size() > 1 && !below.empty() && !words[1].starts_with("-") && !holds(below, words[1]))
    return {fmt::format("there is no '{}' behind '{}'", words[1].substr(0, 40), words[0]),
            did_you_mean(words[1], below)};
  // CLI11 lists every word it did not expect; the first one is the one to mend.
  const std::vector<std::string> options = options_of(verb);
  for (const std::string& word : words) {
    if (is_unknown_option(word, options)) return unknown_option(word, options);
  }
  return {e.what(), ""};
}

// CLI11's messages, as one sentence with a way on.
int usage_error(const CLI::App& app, const CLI::ParseError& e, const std::vector<std::string>& words) {
  const CLI::App* verb = &app;
  for (const CLI::App* sub : app.get_subcommands()) verb = sub;
  Mistake mistake = find_mistake(app, *verb, e, words);
  std::replace(mistake.message.begin(), mistake.message.end(), '\n', ' ');
  complain(fmt::format("{}.{} '{} --help' lists the options.", trim(mistake.message), mistake.hint,
                       verb == &app ? "strobe" : "strobe " + verb->get_name()));
  return kUsage;
}

// `strobe help`, `strobe help run` and `strobe version`, as other tools have them.
std::vector<std::string> usual_words(std::vector<std::string> words) {
  if (words.empty()) return words;
  if (words[0] == "version") words[0] = "--version";
  if (words[0] != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

int run_program(int argc, char** argv) {
  const std::vector<std::string> words = usual_words({argv + 1, argv + argc});
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
  if (work.act && (!work.acts || work.acts())) return work.act();
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
  prepare_process_for_devices();
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
