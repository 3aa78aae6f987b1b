// SPDX-License-Identifier: Apache-2.0
// Says that something of unknown length begins: a load, a first request.
#pragma once

#include <functional>
#include <string>

#include <strobe/measure.h>

namespace strobe {

inline void report_waiting(const std::function<void(const Progress&)>& progress, std::string phase,
                           std::string hint = {}) {
  if (!progress) return;
  Progress p;
  p.phase = std::move(phase);
  p.hint = std::move(hint);
  p.waiting = true;
  progress(p);
}

inline void report_first_request(const std::function<void(const Progress&)>& progress) {
  report_waiting(progress, "first request", "the runtime may be compiling");
}

}  // namespace strobe
