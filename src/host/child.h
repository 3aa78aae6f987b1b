// SPDX-License-Identifier: Apache-2.0
// A program that runs beside us and is talked to line by line. It never outlives its object: closed politely, killed
// after a moment, and waited for.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "host/process.h"
#include "host/spawn.h"

namespace strobe {

class Child {
 public:
  explicit Child(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool send(std::string_view text);  // false: it has gone

  enum class Heard { line, ended, late, stopped };
  // Waits for one line. `stop` is asked ten times a second.
  Heard hear(std::string& line, nanoseconds patience, const std::function<bool()>& stop = {});

  void signal(int number);
  // Stops all its threads, also those of a library that spins, until resume() or end(). It has stopped when this
  // returns, or has ended.
  void pause();
  void resume();
  // Closes its input and waits, at most `grace` before it is killed. What it wrote to stderr is in the result, its last
  // 64 KiB; `out` is empty.
  const ProcessResult& end(nanoseconds grace = 5s);

 private:
  void take(int fd, std::string& to);

  Pipe in_, out_, err_;
  pid_t pid_ = 0;
  bool ended_ = false, paused_ = false;
  std::string heard_;  // beyond the last line
  ProcessResult result_;
};

}  // namespace strobe
