// SPDX-License-Identifier: Apache-2.0
#include "host/child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace strobe {
namespace {

using SteadyTime = std::chrono::steady_clock;

constexpr std::size_t kKeptErrors = std::size_t{1} << 16;
constexpr auto kGlance = 100ms;
constexpr auto kStopPatience = 1s;  // a thread inside a driver stops when it comes out

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const std::vector<std::string>& environment)
    : pid_(spawn(arguments, environment, true, in_, out_, err_)) {}

Child::~Child() {
  end(200ms);
}

bool Child::send(std::string_view text) {
  // A child that has gone must not end us: the caller may not have ignored the signal.
  struct sigaction ignore{}, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  bool sent = true;
  while (sent && !text.empty()) {
    const ssize_t n = ::write(in_.write_end(), text.data(), text.size());
    if (n > 0)
      text.remove_prefix(static_cast<std::size_t>(n));
    else
      sent = n < 0 && errno == EINTR;
  }
  ::sigaction(SIGPIPE, &before, nullptr);
  return sent;
}

void Child::take(int fd, std::string& to) {
  std::array<char, 1 << 16> chunk{};
  const ssize_t n = ::read(fd, chunk.data(), chunk.size());
  if (n > 0) to.append(chunk.data(), static_cast<std::size_t>(n));
  if (n == 0 || (n < 0 && errno != EINTR)) fd == out_.read_end() ? out_.close_read() : err_.close_read();
}

Child::Heard Child::hear(std::string& line, nanoseconds patience, const std::function<bool()>& stop) {
  const auto deadline = SteadyTime::now() + patience;
  for (;;) {
    if (const std::size_t end = heard_.find('\n'); end != std::string::npos) {
      line = heard_.substr(0, end);
      heard_.erase(0, end + 1);
      return Heard::line;
    }
    if (out_.read_end() < 0) return Heard::ended;
    if (stop && stop()) return Heard::stopped;
    if (SteadyTime::now() >= deadline) return Heard::late;
    std::array<pollfd, 2> fds{pollfd{out_.read_end(), POLLIN, 0}, pollfd{err_.read_end(), POLLIN, 0}};
    if (::poll(fds.data(), fds.size(), static_cast<int>(kGlance.count())) <= 0) continue;
    if (fds[0].revents) take(out_.read_end(), heard_);
    if (fds[1].revents) take(err_.read_end(), result_.err);
    if (result_.err.size() > 2 * kKeptErrors) result_.err.erase(0, result_.err.size() - kKeptErrors);
  }
}

void Child::signal(int number) {
  if (!ended_) ::kill(pid_, number);
}

void Child::pause() {
  if (ended_ || paused_ || ::kill(pid_, SIGSTOP) != 0) return;
  paused_ = true;
  const auto deadline = SteadyTime::now() + kStopPatience;
  siginfo_t seen{};
  // How it ended is for end() to ask.
  while (::waitid(P_PID, static_cast<id_t>(pid_), &seen, WSTOPPED | WEXITED | WNOHANG | WNOWAIT) == 0 &&
         seen.si_pid == 0 && SteadyTime::now() < deadline)
    std::this_thread::sleep_for(100us);
}

void Child::resume() {
  if (std::exchange(paused_, false) && !ended_) ::kill(pid_, SIGCONT);
}

const ProcessResult& Child::end(nanoseconds grace) {
  if (ended_) return result_;
  resume();  // else it would not hear that its input ends
  in_.close_write();
  const auto deadline = SteadyTime::now() + grace;
  int status = 0;
  pid_t done = 0;
  std::string rest;
  // Its outputs are emptied meanwhile: a child that waits for us to read would never end.
  while ((done = ::waitpid(pid_, &status, WNOHANG)) == 0 && SteadyTime::now() < deadline) {
    if (out_.read_end() < 0 && err_.read_end() < 0) {
      std::this_thread::sleep_for(1ms);
      continue;
    }
    std::array<pollfd, 2> fds{pollfd{out_.read_end(), POLLIN, 0}, pollfd{err_.read_end(), POLLIN, 0}};
    if (::poll(fds.data(), fds.size(), 10) <= 0) continue;
    if (fds[0].revents) take(out_.read_end(), rest);
    if (fds[1].revents) take(err_.read_end(), result_.err);
  }
  if (done == 0) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  ended_ = true;
  result_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return result_;
}

}  // namespace strobe
