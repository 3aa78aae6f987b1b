// SPDX-License-Identifier: Apache-2.0
#include "host/process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include <strobe/error.h>

#include "host/interrupt.h"
#include "host/spawn.h"

namespace strobe {
namespace {

constexpr int kGlanceMs = 100;  // between two looks whether somebody asked us to end

bool ends_within(pid_t child, std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  siginfo_t ended{};
  while (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != child) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

// Nothing that we started may outlive us. It may have heard the signal itself, from a terminal, and be cleaning up.
void end_process(pid_t child) {
  if (ends_within(child, std::chrono::milliseconds(500))) return;
  ::kill(child, SIGINT);
  if (ends_within(child, std::chrono::seconds(3))) return;
  ::kill(child, SIGKILL);
}

// Moves bytes until both outputs are closed, or we are asked to end. Input and outputs at once, so that neither side
// can block the other.
void exchange(Pipe& in, Pipe& out, Pipe& err, std::string_view input, ProcessResult& result) {
  if (input.empty())
    in.close_write();
  else
    ::fcntl(in.write_end(), F_SETFL, O_NONBLOCK);  // else a large input waits for a child that waits for us to read
  std::array<char, 1 << 16> chunk{};
  const auto take = [&](Pipe& pipe, std::string& to) {
    const ssize_t n = ::read(pipe.read_end(), chunk.data(), chunk.size());
    if (n > 0)
      to.append(chunk.data(), static_cast<std::size_t>(n));
    else if (n == 0 || errno != EINTR)
      pipe.close_read();
  };
  while (out.read_end() >= 0 || err.read_end() >= 0) {
    std::array<pollfd, 3> fds{pollfd{out.read_end(), POLLIN, 0}, pollfd{err.read_end(), POLLIN, 0},
                              pollfd{in.write_end(), POLLOUT, 0}};
    if (Interrupt::requested()) return;
    if (::poll(fds.data(), fds.size(), kGlanceMs) <= 0) continue;
    if (fds[0].revents) take(out, result.out);
    if (fds[1].revents) take(err, result.err);
    if (fds[2].revents) {
      const ssize_t n = ::write(in.write_end(), input.data(), input.size());
      if (n > 0) input.remove_prefix(static_cast<std::size_t>(n));
      if ((n < 0 && errno != EINTR && errno != EAGAIN) || input.empty()) in.close_write();
    }
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                          const std::string& input) {
  Pipe in, out, err;
  const pid_t child = spawn(arguments, environment, false, in, out, err);
  // A child that exits without reading its input must not end us.
  struct sigaction ignore{}, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  ProcessResult result;
  exchange(in, out, err, input, result);
  ::sigaction(SIGPIPE, &before, nullptr);
  const bool interrupted = Interrupt::requested();
  if (interrupted) end_process(child);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (interrupted) throw Error(ErrorCode::interrupted, fmt::format("interrupted while '{}' ran", arguments[0]));
  return result;
}

}  // namespace strobe
