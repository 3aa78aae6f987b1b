// SPDX-License-Identifier: Apache-2.0
// Options that verbs share, as typed, and what they mean.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "study/run.h"

namespace CLI {
class App;
}

namespace strobe::cli {

// Which model, on what, fed with what.
struct ModelArguments {
  std::string model, device = "auto", pin = "auto", runtime;
  std::vector<std::string> shapes, inputs, ranges, settings;
  std::string batch, threads, seed, dtype, layout;
  bool no_optimize = false;

  void declare(CLI::App&);          // MODEL and its options
  void declare_options(CLI::App&);  // without MODEL
  OpenOptions parse() const;
};

// For how long, and what counts.
struct MeasureArguments {
  std::string effort = "standard", margin, warmup, requests, min_time, max_time, percentiles, in_flight, samples,
              cache = "hot", io, flops;
  bool graph = false, copies = false;

  void declare(CLI::App&);
  void declare_what(CLI::App&);  // only what is run, and how: not for how long, nor what else to say of it
  Options parse() const;
};

// A whole number of at least `least` and at most `most`.
std::int64_t parse_count(std::int64_t least, const std::string& text, const char* option,
                         std::int64_t most = INT64_MAX);

// --max-time, more than none.
nanoseconds parse_max_time(const std::string& text);

}  // namespace strobe::cli
