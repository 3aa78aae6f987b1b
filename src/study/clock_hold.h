// SPDX-License-Identifier: Apache-2.0
// `--lock-clocks`: the clock of the GPU held at one frequency over all processes of a command. A guardian, which is a
// worker of its own, locks it and waits for this process to end, however it ends: then its pipe closes, and the
// guardian sets the clock free. Signals that end this process do not end the guardian.
#pragma once

#include <iosfwd>
#include <memory>
#include <span>

#include <nlohmann/json_fwd.hpp>

#include <strobe/model.h>

namespace strobe {

class Worker;

class ClockHold {
 public:
  // Nothing where no clock is asked for. Throws Error where it cannot be locked.
  explicit ClockHold(const Model&);
  ~ClockHold();
  ClockHold(const ClockHold&) = delete;
  ClockHold& operator=(const ClockHold&) = delete;

 private:
  std::unique_ptr<Worker> guardian_;
};

// Of models that are measured in turns: one clock for all of them. Throws Error (usage) where they ask for several.
Model one_clock_of(std::span<const Model* const>);

// The guardian's end.
void guard_clock(const nlohmann::json& options, std::istream& parent, std::ostream& answers);

}  // namespace strobe
