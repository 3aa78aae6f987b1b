// SPDX-License-Identifier: Apache-2.0
// A verb of the program: a row of a table. Most make a record, which the program then delivers (and sweeps); a few act.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>

#include "cli/output.h"

namespace CLI {
class App;
}

namespace strobe::cli {

// What the shell sees.
enum Exit { kMeasured = 0, kNotUsable = 1, kUsage = 2, kCannot = 3, kInterrupted = 130 };

struct Work {
  std::function<Record()> record = {};           // makes a record, from the options parsed …
  std::shared_ptr<OutputArguments> output = {};  // … and says where it goes
  std::function<int()> act = {};                 // or does something else and gives the exit code …
  std::function<bool()> acts = {};               // … where this says so; none: always
};

struct Verb {
  std::string_view name, summary;
  Work (*declare)(CLI::App&);  // declares the options
  std::string_view examples;   // a line each, under the options of --help
};
std::span<const Verb> verbs();

Work declare_run(CLI::App&);
Work declare_methods(CLI::App&);
Work declare_throughput(CLI::App&);
Work declare_compare(CLI::App&);
Work declare_pipeline(CLI::App&);
Work declare_profile(CLI::App&);
Work declare_memory(CLI::App&);
Work declare_audit(CLI::App&);
Work declare_report(CLI::App&);
Work declare_doctor(CLI::App&);
Work declare_selftest(CLI::App&);
Work declare_zoo(CLI::App&);
Work declare_completion(CLI::App&);
Work declare_worker(CLI::App&);

// The whole command line. Declaring and parsing are two steps, so that errors can name the options there are.
struct Parsed;
std::shared_ptr<Parsed> declare_all();
void parse_into(Parsed&, const std::vector<std::string>& words);  // without the program's name; throws CLI's errors
const Work& work_of(const Parsed&);
CLI::App& app_of(Parsed&);

// One case for each combination of the values of --sweep ("batch=1,8"): the same words, parsed anew with each.
Record sweep(const std::vector<std::string>& words, const OutputArguments&);

}  // namespace strobe::cli
