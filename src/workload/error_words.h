// What the texts of runtimes' errors say, where their kind is lost.
#pragma once

#include <string>

#include <strobe/error.h>

#include "device/device.h"

namespace strobe {

// Out of memory, device lost (a kernel broke the CUDA context), or just failed.
Error error_by_words(const std::string& what, const std::string& cause);

// The same, or that a kernel broke the context, which runtimes hide behind whatever they were doing when it showed.
Error seen_through(Error, Stream&);

}  // namespace strobe
