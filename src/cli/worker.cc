// SPDX-License-Identifier: Apache-2.0
// strobe worker: not for people. A job comes as a line of JSON on stdin, answers go out as lines on stdout.
#include "study/worker.h"

#include <csignal>
#include <ext/stdio_filebuf.h>
#include <fcntl.h>
#include <iostream>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "base/build_info.h"
#include "cli/arguments.h"
#include "cli/verb.h"
#include "host/interrupt.h"
#include "study/compare/candidate.h"
#include "study/search/trial.h"

namespace strobe::cli {
namespace {

using Json = nlohmann::json;

Record make_record(const std::vector<std::string>& words) {
  const auto parsed = declare_all();
  parse_into(*parsed, words);
  return work_of(*parsed).record();
}

CandidateOptions parse_candidate(const std::vector<std::string>& words) {
  CLI::App app;
  ModelArguments model;
  MeasureArguments measure;
  model.declare(app);
  measure.declare(app);
  app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  CandidateOptions o;
  o.run = {model.parse(), measure.parse()};
  o.run.measure.stop = [] { return Interrupt::requested(); };
  return o;
}

std::string answer_line(const Record& r) {
  return Json{{"record", json(r)}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The program in PATH may belong to another library than the one that asks.
void check_build(const std::string& asking) {
  if (asking != kBuildId)
    throw Error(ErrorCode::unsupported, "cannot run a worker",
                fmt::format("the program 'strobe' is of the build {}, the library of {}", kBuildId,
                            asking.empty() ? "another one" : asking),
                "Set STROBE_PROGRAM to the program that was installed with the library.");
}

void serve(const Json& job, std::ostream& answers) {
  const auto words = job.at("words").get<std::vector<std::string>>();
  try {
    check_build(job.value("build", ""));
    if (job.at("job") == "turns") return serve_candidate(parse_candidate(words), std::cin, answers);
    std::string question;
    std::getline(std::cin, question);
    if (job.at("job") == "trial") {
      const auto stop = [] { return Interrupt::requested(); };
      const Record r = run_trial(parse_candidate(words).run.open, parse_trial(question), stop);
      answers << answer_line(r) << std::flush;
      return;
    }
    answers << answer_line(make_record(words)) << std::flush;
  } catch (const Error& e) {
    answers << error_line(e) << std::flush;
  } catch (const std::bad_alloc&) {
    answers << error_line(Error(ErrorCode::out_of_memory, "out of memory")) << std::flush;
  } catch (const std::exception& e) {
    answers << error_line(Error(ErrorCode::failed, "cannot go on", e.what())) << std::flush;
  }
}

int work() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody is left to answer
  // Libraries may print: only answers go to the real stdout, everything else to stderr.
  const int real = ::dup(STDOUT_FILENO);
  ::fcntl(real, F_SETFD, FD_CLOEXEC);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  __gnu_cxx::stdio_filebuf<char> buffer(real, std::ios::out);
  std::ostream answers(&buffer);
  const Interrupt interrupt;
  std::string line;
  if (!std::getline(std::cin, line)) return kMeasured;
  const Json job = Json::parse(line, nullptr, false);
  if (!job.is_object() || !job.contains("job") || !job.contains("words"))
    throw Error(ErrorCode::usage, "'strobe worker' takes jobs from strobe itself", {}, "Use another verb.");
  serve(job, answers);
  return kMeasured;
}

}  // namespace

Work declare_worker(CLI::App& app) {
  app.group("");  // hidden from --help
  return {.act = work};
}

}  // namespace strobe::cli
