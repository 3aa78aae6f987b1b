// SPDX-License-Identifier: Apache-2.0
// Running another program to its end, with its output.
#pragma once

#include <string>
#include <vector>

namespace strobe {

struct ProcessResult {
  int exit_code = 0;  // -1 when a signal ended it
  int signal = 0;
  std::string out, err;
};

// `environment`: NAME=value, in addition to ours. Throws Error when the program cannot be started at all.
ProcessResult run_process(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {},
                          const std::string& input = {});

}  // namespace strobe
