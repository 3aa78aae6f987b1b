// SPDX-License-Identifier: Apache-2.0
#include "host/interrupt.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <semaphore.h>
#include <unistd.h>

namespace strobe {
namespace {

constexpr nanoseconds kMoment = 1s;  // for those that end by themselves

// A signal handler can reach nothing else: the mutable globals of the library. All are safe in a handler.
std::atomic<int> signals = 0;
std::atomic<bool> hurry = false, watched = false, over = false;
sem_t woken;

static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

constexpr std::array kSignals{SIGINT, SIGTERM};
std::array<struct sigaction, kSignals.size()> previous{};

extern "C" void on_signal(int) {
  const int before_errno = errno;
  const int n = ++signals;
  if (n > (watched ? 2 : 1)) ::_exit(130);
  if (n == 2) hurry = true;
  if (watched) ::sem_post(&woken);
  errno = before_errno;
}

// True when somebody posted, false when the time is over.
bool woken_within(nanoseconds time) {
  timespec until{};
  ::clock_gettime(CLOCK_MONOTONIC, &until);
  const nanoseconds at = std::chrono::seconds(until.tv_sec) + nanoseconds(until.tv_nsec) + time;
  until.tv_sec = at / 1s;
  until.tv_nsec = (at % 1s).count();
  int code = 0;
  while ((code = ::sem_clockwait(&woken, CLOCK_MONOTONIC, &until)) != 0 && errno == EINTR) {
  }
  return code == 0;
}

// Signals go to the thread that measures: a sleep or a read of its own should return.
void block_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int s : kSignals) ::sigaddset(&set, s);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace

Interrupt::Interrupt(std::function<void()> give_up, nanoseconds patience)
    : give_up_(std::move(give_up)), patience_(patience) {
  signals = 0;
  hurry = over = false;
  watched = static_cast<bool>(give_up_);
  if (give_up_) {
    ::sem_init(&woken, 0, 0);
    watcher_ = std::thread([this] { watch(); });
  }
  struct sigaction action{};
  action.sa_handler = on_signal;
  // No SA_RESTART: a sleep or a read of ours should return.
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], &action, &previous[i]);
    if (previous[i].sa_handler == SIG_IGN) ::sigaction(kSignals[i], &previous[i], nullptr);  // nohup means it
  }
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &previous[i], nullptr);
  if (watcher_.joinable()) {
    over = true;
    ::sem_post(&woken);
    watcher_.join();
    watched = false;
    ::sem_destroy(&woken);
  }
  signals = 0;
  hurry = false;
}

void Interrupt::watch() {
  block_signals();
  while (::sem_wait(&woken) != 0) {
  }
  if (!over) woken_within(patience_);
  hurry = true;
  if (!over) woken_within(kMoment);
  if (!over) give_up_();
}

bool Interrupt::requested() {
  return signals > 0;
}

bool Interrupt::urgent() {
  return hurry;
}

}  // namespace strobe
