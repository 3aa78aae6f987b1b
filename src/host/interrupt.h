// Ctrl-C as a question that can be asked: the first signal only sets a flag, so that a run can end with a whole record;
// the second one ends the program at once.
#pragma once

namespace strobe {

class Interrupt {
 public:
  Interrupt();   // catches SIGINT and SIGTERM
  ~Interrupt();  // restores what was there
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool requested();
};

}  // namespace strobe
