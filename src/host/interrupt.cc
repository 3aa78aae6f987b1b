#include "host/interrupt.h"

#include <array>
#include <csignal>
#include <unistd.h>
#include <utility>

namespace strobe {
namespace {

// A signal handler can reach nothing else: the one mutable global of the library.
volatile std::sig_atomic_t interrupted = 0;

constexpr std::array kSignals{SIGINT, SIGTERM};
std::array<struct sigaction, kSignals.size()> previous{};

extern "C" void on_signal(int) {
  if (interrupted) ::_exit(130);
  interrupted = 1;
}

}  // namespace

Interrupt::Interrupt() {
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
  interrupted = 0;
}

bool Interrupt::requested() {
  return interrupted != 0;
}

}  // namespace strobe
