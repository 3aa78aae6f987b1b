// SPDX-License-Identifier: Apache-2.0
#include "host/file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <openssl/evp.h>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include <strobe/error.h>

namespace strobe {
namespace {

namespace fs = std::filesystem;

std::string reason() {
  return std::generic_category().message(errno);
}

[[noreturn]] void cannot_write(const fs::path& path, std::string cause) {
  throw Error(ErrorCode::unwritable, fmt::format("cannot write '{}'", path.string()), std::move(cause),
              "Give another place, or make room.");
}

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  bool ok() const { return fd_ >= 0; }
  int get() const { return fd_; }
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }  // a full disk may show only here

 private:
  int fd_;
};

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// Replaced by renaming: a name that is free, or a regular file under its own name. A link stays a link; whether it
// points at a pipe, a terminal or a file, what it points at is written in place.
bool replaceable(const fs::path& path) {
  struct stat s{};
  return ::lstat(path.c_str(), &s) != 0 || S_ISREG(s.st_mode);
}

// /dev/stdout is a link to /proc/self/fd/1. Opened by its name a file behind it would be written from its beginning,
// under what we print; the open descriptor knows where it stands.
std::optional<int> open_descriptor(fs::path path) {
  std::error_code code;
  for (int links = 0; links < 8; ++links) {
    if (path.parent_path() == "/proc/self/fd") return std::atoi(path.filename().c_str());
    if (!fs::is_symlink(path, code)) return std::nullopt;
    const fs::path target = fs::read_symlink(path, code);
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return std::nullopt;
}

fs::path temporary_beside(const fs::path& path) {
  return path.string() + fmt::format(".tmp{}", ::getpid());
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::error_code code;
  if (fs::is_directory(path, code))
    throw Error(ErrorCode::bad_input, fmt::format("cannot read '{}'", path.string()), "it is a folder");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(ErrorCode::not_found, fmt::format("cannot read '{}'", path.string()), reason());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const fs::path& path, std::string_view contents) {
  if (const auto open = open_descriptor(path)) {
    if (!write_all(*open, contents)) cannot_write(path, reason());
    return;
  }
  if (!replaceable(path)) {
    Descriptor out(path, O_WRONLY | O_CREAT | O_TRUNC);
    if (!out.ok() || !write_all(out.get(), contents)) cannot_write(path, reason());
    return;
  }
  const fs::path temporary = temporary_beside(path);
  Descriptor out(temporary, O_WRONLY | O_CREAT | O_TRUNC);
  if (!out.ok()) cannot_write(path, reason());
  if (!write_all(out.get(), contents) || !out.close() || ::rename(temporary.c_str(), path.c_str()) != 0) {
    std::string cause = reason();
    ::unlink(temporary.c_str());
    cannot_write(path, std::move(cause));
  }
}

void check_writable(const fs::path& path) {
  if (path.empty()) cannot_write(path, "the name is empty");
  std::error_code code;
  if (fs::is_directory(path, code)) cannot_write(path, "it is a folder");
  if (!replaceable(path)) {
    // Not opened to try: opening a pipe without a reader would wait.
    if (::access(path.c_str(), W_OK) != 0) cannot_write(path, reason());
    return;
  }
  const fs::path temporary = temporary_beside(path);
  {
    const Descriptor out(temporary, O_WRONLY | O_CREAT);
    if (!out.ok()) cannot_write(path, reason());
  }
  ::unlink(temporary.c_str());
}

std::string sha256_of_file(const fs::path& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!in) throw Error(ErrorCode::not_found, fmt::format("cannot read '{}'", path.string()), reason());
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> hash(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  EVP_DigestInit_ex(hash.get(), EVP_sha256(), nullptr);
  std::array<char, 1 << 16> chunk{};
  while (const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), in.get()))
    EVP_DigestUpdate(hash.get(), chunk.data(), n);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_DigestFinal_ex(hash.get(), digest.data(), &size);
  return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + size, ""));
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) cannot_write(parent, error.message());
  std::string name = (parent / "strobe-XXXXXX").string();
  if (!::mkdtemp(name.data())) cannot_write(parent, reason());
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace strobe
