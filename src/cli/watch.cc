// SPDX-License-Identifier: Apache-2.0
#include "cli/watch.h"

#include <cstdio>
#include <exception>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/verb.h"

namespace strobe::cli {

Watch::Watch(const OutputArguments& output)
    : line(output.progress_form()), output_(output), interrupt_([this] { give_up(); }) {}

int Watch::deliver(Record& record) {
  line.clear();
  while (claimed_.exchange(true)) ::pause();  // the process ends meanwhile
  return output_.deliver(record);
}

// The measuring thread is stuck in a request, or in writing its result. Once something could be taken of it, it does
// not go on. Files are written under another name first, so none is left half written.
void Watch::give_up() {
  constexpr unsigned kWriting = 5;  // seconds
  line.clear();
  try {
    auto record = salvage.take();
    if (claimed_.exchange(true)) {
      ::sleep(kWriting);  // it has ended after all, and writes; main ends the process
      ::_exit(kInterrupted);
    }
    if (record)
      output_.deliver(*record);
    else
      fmt::print(
          stderr,
          "strobe: interrupted before it was complete; what was waited for did not end, so nothing is written.\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "strobe: {}.\n", e.what());
  }
  std::fflush(nullptr);
  ::_exit(kInterrupted);  // workers end with us: they asked the kernel for it
}

}  // namespace strobe::cli
