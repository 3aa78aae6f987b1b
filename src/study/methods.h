// SPDX-License-Identifier: Apache-2.0
// `strobe methods`: every usual way to time a model, side by side, and what each gets wrong. Rows take turns in rounds,
// so that drift hits all alike; counts are fixed, as people use them.
#pragma once

#include <strobe/record.h>
#include <strobe/study.h>

#include "study/run.h"

namespace strobe {

struct MethodsPlan : MethodsOptions {
  OpenOptions open;
  Salvage* salvage = nullptr;  // where another thread finds what was read while a request does not end
};

Record compare_methods(const MethodsPlan&);

}  // namespace strobe
