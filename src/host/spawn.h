// SPDX-License-Identifier: Apache-2.0
// Starting a program with its three standard streams on pipes. Only for the files of this folder.
#pragma once

#include <array>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace strobe {

class Pipe {
 public:
  Pipe();
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read() { close(ends_[0]); }
  void close_write() { close(ends_[1]); }

 private:
  static void close(int& fd);
  std::array<int, 2> ends_{-1, -1};
};

// `own_group`: a Ctrl-C on the terminal then reaches only us, and we decide what the child hears of it. Throws Error
// when the program cannot be started. The child's ends of the pipes are closed here.
pid_t spawn(const std::vector<std::string>& arguments, const std::vector<std::string>& environment, bool own_group,
            Pipe& in, Pipe& out, Pipe& err);

}  // namespace strobe
