#include "host/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include <strobe/error.h>

extern char** environ;

namespace strobe {
namespace {

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw Error(ErrorCode::failed, "cannot start a program", std::generic_category().message(errno));
  }
  ~Pipe() { close_read(), close_write(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read() { close(ends_[0]); }
  void close_write() { close(ends_[1]); }

 private:
  static void close(int& fd) {
    if (fd >= 0) ::close(std::exchange(fd, -1));
  }
  std::array<int, 2> ends_{-1, -1};
};

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> list;
  for (const std::string& s : strings) list.push_back(const_cast<char*>(s.c_str()));
  list.push_back(nullptr);
  return list;
}

// Ours, with later settings first: getenv takes the first it finds.
std::vector<std::string> merged(const std::vector<std::string>& additions) {
  std::vector<std::string> all = additions;
  for (char** e = environ; *e; ++e) {
    const std::string_view entry = *e, name = entry.substr(0, entry.find('=') + 1);
    bool replaced = false;
    for (const std::string& a : additions) replaced = replaced || a.starts_with(name);
    if (!replaced) all.emplace_back(entry);
  }
  return all;
}

// Moves bytes until both outputs are closed. Input and outputs at once, so that neither side can block the other.
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
    if (::poll(fds.data(), fds.size(), -1) < 0) continue;
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
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.read_end(), 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.write_end(), 1);
  ::posix_spawn_file_actions_adddup2(&actions, err.write_end(), 2);
  const std::vector<std::string> variables = merged(environment);
  pid_t child = 0;
  const int code = ::posix_spawnp(&child, arguments.at(0).c_str(), &actions, nullptr, pointers(arguments).data(),
                                  pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0)
    throw Error(ErrorCode::not_found, fmt::format("cannot start '{}'", arguments[0]),
                std::generic_category().message(code));
  in.close_read(), out.close_write(), err.close_write();
  // A child that exits without reading its input must not end us.
  struct sigaction ignore{}, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  ProcessResult result;
  exchange(in, out, err, input, result);
  ::sigaction(SIGPIPE, &before, nullptr);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return result;
}

}  // namespace strobe
