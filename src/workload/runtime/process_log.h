// SPDX-License-Identifier: Apache-2.0
// Where a library's own warnings go. Libraries have one logger in a process, which outlives every session, and call it
// from threads of their own.
#pragma once

#include <functional>
#include <mutex>
#include <string>

namespace strobe {

class ProcessLog {
 public:
  using Log = std::function<void(const std::string&)>;

  void set(const Log& log) {
    const std::lock_guard lock(mutex_);
    log_ = log;
  }
  void say(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (log_) log_(line);
  }

 private:
  std::mutex mutex_;
  Log log_;
};

}  // namespace strobe
