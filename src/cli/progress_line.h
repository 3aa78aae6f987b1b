// SPDX-License-Identifier: Apache-2.0
// The line of progress on stderr. A measurement says what it does; where it says nothing for a while (a load, a request
// that compiles), a thread goes on counting the seconds. That thread touches neither devices nor runtimes.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include <strobe/measure.h>

namespace strobe::cli {

// What the line says when nothing was heard for `silence`.
std::string progress_text(const Progress&, std::chrono::nanoseconds silence, bool interrupted = false);

class ProgressLine {
 public:
  enum class Form {
    none,
    rewritten,  // on a terminal: one line, written over
    patient,    // elsewhere: one line about each wait of more than ten seconds, and nothing else
  };
  explicit ProgressLine(Form);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress&);
  void clear();  // takes the line away, and says nothing more

 private:
  void count();
  void write(std::chrono::nanoseconds silence);

  const Form form_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Progress last_;
  std::chrono::steady_clock::time_point heard_;
  bool any_ = false, said_ = false, ended_ = false;
  std::thread counter_;
};

}  // namespace strobe::cli
