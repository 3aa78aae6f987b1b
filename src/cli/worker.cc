// SPDX-License-Identifier: Apache-2.0
// strobe worker: not for people. A job comes as a line of JSON on stdin, answers go out as lines on stdout.
#include "study/worker.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ext/stdio_filebuf.h>
#include <fcntl.h>
#include <iostream>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "host/interrupt.h"
#include "study/jobs/jobs.h"

namespace strobe::cli {
namespace {

// Nobody waits for what libraries do at their end: it takes a GPU's a while, and all that was asked for has been said.
[[noreturn]] void leave() {
  std::fflush(stderr);
  std::_Exit(kMeasured);
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
  tell_when_memory_ends();
  std::string line;
  if (!std::getline(std::cin, line)) return kMeasured;
  serve_job(nlohmann::json::parse(line, nullptr, false), std::cin, answers);
  answers.flush();
  leave();
}

}  // namespace

Work declare_worker(CLI::App& app) {
  app.group("");  // hidden from --help
  return {.act = work};
}

}  // namespace strobe::cli
