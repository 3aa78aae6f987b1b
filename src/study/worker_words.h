// SPDX-License-Identifier: Apache-2.0
// How a worker is told what to run: the options as a command line that says the same.
#pragma once

#include <string>
#include <vector>

#include "study/run.h"

namespace strobe {

// The model and its options.
std::vector<std::string> words_of(const OpenOptions&);
// Also how to measure it; not where the samples go: each process would write over the others' file.
std::vector<std::string> words_of(const OpenOptions&, const Options&);

}  // namespace strobe
