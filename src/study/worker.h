// SPDX-License-Identifier: Apache-2.0
// A strobe in a process of its own, for what may crash, run out of memory, or must not share a process: asked in lines
// of JSON, answered in lines of JSON. The other end is the hidden verb `strobe worker`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <strobe/error.h>
#include <strobe/record.h>

#include "host/child.h"

namespace strobe {

// How the process ended, when it ended instead of answering.
class WorkerLost : public Error {
 public:
  WorkerLost(const ProcessResult&, bool hung);
  int signal = 0;
  bool hung = false;
  bool out_of_memory = false;  // nobody caught std::bad_alloc
};

// What workers can do. The table is study/jobs.
inline constexpr std::string_view kRunJob = "run", kMethodsJob = "methods", kPipelineJob = "pipeline",
                                  kProfileJob = "profile", kMemoryJob = "memory", kTrialJob = "trial",
                                  kTurnsJob = "turns", kClockJob = "clock";

class Worker {
 public:
  // `environment`: "NAME=value", beside our own.
  Worker(std::string_view job, const nlohmann::json& options, const std::vector<std::string>& environment = {});

  // Waits for the answer to a job that needs no questions.
  nlohmann::json answer(nanoseconds patience, const std::function<bool()>& stop = {});
  // Sends a line and waits for the answer. Throws the Error that the worker met, or WorkerLost. When `stop` says so the
  // worker is interrupted once, and still has `patience` to answer with what it has.
  nlohmann::json ask(const nlohmann::json& question, nanoseconds patience, const std::function<bool()>& stop = {});
  // Stopped until it is asked again: none of its threads takes a CPU meanwhile.
  void rest() { child_.pause(); }

 private:
  Child child_;
};

// Of an answer that has one.
Record record_in(const nlohmann::json& answer);

// The worker's end. A library that does not expect memory to end lets std::bad_alloc end the process: from now on with
// an exit code of its own, by which WorkerLost knows.
void tell_when_memory_ends();

// What it writes where. `answer` and `record_in` unpack both.
std::string error_line(const Error&);
std::string record_line(const Record&);

}  // namespace strobe
