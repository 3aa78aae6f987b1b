// SPDX-License-Identifier: Apache-2.0
// A strobe in a process of its own, for what may crash, run out of memory, or must not share a process: asked in lines
// of JSON, answered in lines of JSON. The other end is the hidden verb `strobe worker`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <strobe/error.h>

#include "host/child.h"

namespace strobe {

// How the process ended, when it ended instead of answering.
class WorkerLost : public Error {
 public:
  WorkerLost(const ProcessResult&, bool hung);
  int signal = 0;
  bool hung = false;
};

class Worker {
 public:
  // `words`: a command line of strobe without the program's name, for the job "record"; of a model and its options for
  // other jobs.
  Worker(const std::string& job, const std::vector<std::string>& words);

  // Sends a line and waits for the answer. Throws the Error that the worker met, or WorkerLost. When `stop` says so the
  // worker is interrupted once, and still has `patience` to answer with what it has.
  nlohmann::json ask(const nlohmann::json& question, nanoseconds patience, const std::function<bool()>& stop = {});

 private:
  nlohmann::json answer(nanoseconds patience, const std::function<bool()>& stop);
  Child child_;
};

// The worker's end: what it writes where. `ask` above unpacks both.
std::string error_line(const Error&);

}  // namespace strobe
