// SPDX-License-Identifier: Apache-2.0
// What goes on beside a measurement, on threads that make no device calls: the line that says what is waited for, and
// the end of the program when a request does not end.
#pragma once

#include <atomic>

#include <strobe/record.h>

#include "cli/progress_line.h"
#include "host/interrupt.h"
#include "host/salvage.h"

namespace strobe::cli {

struct OutputArguments;

class Watch {
 public:
  explicit Watch(const OutputArguments&);

  // The record is delivered once, by the thread that measured or by the one that gave it up. Does not return where the
  // other one was first.
  int deliver(Record&);

  ProgressLine line;
  Salvage salvage;

 private:
  void give_up();

  const OutputArguments& output_;
  std::atomic<bool> claimed_ = false;
  Interrupt interrupt_;  // last: its thread uses the others
};

}  // namespace strobe::cli
