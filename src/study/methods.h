// SPDX-License-Identifier: Apache-2.0
// `strobe methods`: every usual way to time a model, side by side, and what each gets wrong. Rows take turns in rounds,
// so that drift hits all alike; counts are fixed, as people use them.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>

#include "study/run.h"

namespace strobe {

struct MethodsPlan {
  OpenOptions open;
  std::size_t warmup = 5;
  std::size_t requests = 45;
  std::vector<std::string> only;             // names of methods; empty: all, and the matrix of axes
  std::optional<nanoseconds> max_time = {};  // from the first request on; what is not read then stays unknown
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
  Salvage* salvage = nullptr;  // where another thread finds what was read while a request does not end
};

Record compare_methods(const MethodsPlan&);

}  // namespace strobe
