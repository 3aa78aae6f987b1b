// SPDX-License-Identifier: Apache-2.0
#include "host/needed_libraries.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <optional>
#include <span>

namespace strobe {
namespace {

constexpr std::size_t kMostEntries = 1 << 16, kLongestName = 4096;

// The parts that are asked for, because these files may have hundreds of megabytes. What is not there reads as nothing.
class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& file) : in_(file, std::ios::binary) {}

  template <class T>
  std::vector<T> read(std::uint64_t offset, std::size_t count) {
    std::vector<T> all(std::min(count, kMostEntries));
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(offset));
    in_.read(reinterpret_cast<char*>(all.data()), static_cast<std::streamsize>(all.size() * sizeof(T)));
    all.resize(static_cast<std::size_t>(in_.gcount()) / sizeof(T));
    return all;
  }

  std::string text(std::uint64_t offset) {
    const std::vector<char> bytes = read<char>(offset, kLongestName);
    return {bytes.begin(), std::find(bytes.begin(), bytes.end(), '\0')};
  }

 private:
  std::ifstream in_;
};

bool is_library(const Elf64_Ehdr& h) {
  return std::memcmp(h.e_ident, ELFMAG, SELFMAG) == 0 && h.e_ident[EI_CLASS] == ELFCLASS64 && h.e_type == ET_DYN &&
         h.e_phentsize == sizeof(Elf64_Phdr);
}

// Where in the file lies what is loaded at this address?
std::optional<std::uint64_t> offset_of(std::uint64_t address, std::span<const Elf64_Phdr> segments) {
  for (const Elf64_Phdr& s : segments) {
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz)
      return s.p_offset + (address - s.p_vaddr);
  }
  return std::nullopt;
}

std::vector<Elf64_Dyn> dynamic_entries(ElfFile& elf, std::span<const Elf64_Phdr> segments) {
  for (const Elf64_Phdr& s : segments) {
    if (s.p_type == PT_DYNAMIC) return elf.read<Elf64_Dyn>(s.p_offset, s.p_filesz / sizeof(Elf64_Dyn));
  }
  return {};
}

}  // namespace

std::vector<std::string> needed_libraries(const std::filesystem::path& file) {
  ElfFile elf(file);
  const std::vector<Elf64_Ehdr> header = elf.read<Elf64_Ehdr>(0, 1);
  if (header.empty() || !is_library(header[0])) return {};
  const auto segments = elf.read<Elf64_Phdr>(header[0].e_phoff, header[0].e_phnum);
  const auto entries = dynamic_entries(elf, segments);
  const auto table = std::find_if(entries.begin(), entries.end(), [](const auto& e) { return e.d_tag == DT_STRTAB; });
  if (table == entries.end()) return {};
  const auto names = offset_of(table->d_un.d_ptr, segments);
  if (!names) return {};
  std::vector<std::string> needed;
  for (const Elf64_Dyn& e : entries) {
    if (e.d_tag == DT_NEEDED) needed.push_back(elf.text(*names + e.d_un.d_val));
  }
  return needed;
}

}  // namespace strobe
