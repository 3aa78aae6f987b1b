// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_line.h"

#include <csignal>
#include <cstdio>

#include <fmt/format.h>

#include "base/format.h"
#include "base/printable.h"
#include "base/units.h"
#include "host/interrupt.h"

namespace strobe::cli {
namespace {

using SteadyTime = std::chrono::steady_clock;

constexpr nanoseconds kCount = 500ms;     // between two looks at a silent measurement
constexpr nanoseconds kPatience = 10s;    // before a log hears of a wait
constexpr nanoseconds kWorthSaying = 1s;  // a wait this short needs no seconds

// "first request: 41 s so far; the runtime may be compiling"
std::string waiting_text(const std::string& phase, const std::string& hint, nanoseconds so_far) {
  if (so_far < kWorthSaying) return phase;
  return fmt::format("{}: {} s so far{}{}", phase, so_far / 1s, hint.empty() ? "" : "; ", hint);
}

}  // namespace

std::string progress_text(const Progress& p, nanoseconds silence, bool interrupted) {
  const nanoseconds elapsed = p.elapsed + silence;
  const std::string phase = printable(p.phase);  // it may hold the name of a file
  std::string line;
  if (p.waiting)
    line = waiting_text(phase, p.hint, elapsed);
  else if (p.of > 0)
    line = fmt::format("{} {}/{}{} · {:.1f} s", phase, p.done, p.of, p.what.empty() ? "" : " " + p.what,
                       to_seconds(elapsed));
  else
    line = fmt::format("{} {:.1f} s", phase, to_seconds(elapsed));
  if (interrupted) return line + " · interrupted: waiting for it to end; Ctrl-C again does not wait";
  const double left = to_seconds(p.at_most - elapsed);
  if (left > 0) line += fmt::format(" · at most {:.0f} s left", left);
  return line;
}

ProgressLine::ProgressLine(Form form) : form_(form) {
  if (form_ == Form::none) return;
  // Signals are for the thread that measures.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  counter_ = std::thread([this] { count(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ProgressLine::~ProgressLine() {
  clear();
  if (counter_.joinable()) counter_.join();
}

void ProgressLine::show(const Progress& p) {
  if (form_ == Form::none) return;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    last_ = p;
    heard_ = SteadyTime::now();
    any_ = true;
    said_ = false;
    if (form_ == Form::rewritten) write(0ns);
  }
  if (form_ == Form::patient) changed_.notify_one();
}

void ProgressLine::clear() {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
    if (form_ == Form::rewritten) fmt::print(stderr, "\r\x1b[K");
  }
  changed_.notify_one();
}

void ProgressLine::write(nanoseconds silence) {
  fmt::print(stderr, "\r\x1b[K{}\r", progress_text(last_, silence, Interrupt::requested()));
  std::fflush(stderr);
}

// On a terminal it wakes twice a second; elsewhere once for each wait, when that has become long.
void ProgressLine::count() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    const bool waits = any_ && last_.waiting && !said_;
    if (form_ == Form::rewritten)
      changed_.wait_for(lock, kCount);
    else if (waits)
      changed_.wait_until(lock, heard_ + kPatience);
    else
      changed_.wait(lock);
    if (ended_ || !any_) continue;
    const nanoseconds silence = SteadyTime::now() - heard_;
    if (form_ == Form::rewritten && silence >= kCount) write(silence);
    if (form_ == Form::patient && last_.waiting && !said_ && silence >= kPatience) {
      fmt::print(stderr, "strobe: {}\n", progress_text(last_, silence));
      said_ = true;
    }
  }
}

}  // namespace strobe::cli
