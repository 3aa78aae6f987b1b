// SPDX-License-Identifier: Apache-2.0
#include "host/spawn.h"

#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include <strobe/error.h>

extern char** environ;

namespace strobe {
namespace {

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

}  // namespace

Pipe::Pipe() {
  if (::pipe2(ends_.data(), O_CLOEXEC) != 0)
    throw Error(ErrorCode::failed, "cannot start a program", std::generic_category().message(errno));
}

void Pipe::close(int& fd) {
  if (fd >= 0) ::close(std::exchange(fd, -1));
}

pid_t spawn(const std::vector<std::string>& arguments, const std::vector<std::string>& environment, bool own_group,
            Pipe& in, Pipe& out, Pipe& err) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.read_end(), 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.write_end(), 1);
  ::posix_spawn_file_actions_adddup2(&actions, err.write_end(), 2);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  if (own_group) {
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes, 0);
  }
  const std::vector<std::string> variables = merged(environment);
  pid_t child = 0;
  const int code = ::posix_spawnp(&child, arguments.at(0).c_str(), &actions, &attributes, pointers(arguments).data(),
                                  pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (code != 0)
    throw Error(ErrorCode::not_found, fmt::format("cannot start '{}'", arguments[0]),
                std::generic_category().message(code));
  in.close_read();
  out.close_write();
  err.close_write();
  return child;
}

}  // namespace strobe
