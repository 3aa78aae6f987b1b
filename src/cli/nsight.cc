// SPDX-License-Identifier: Apache-2.0
#include "cli/nsight.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cxxabi.h>
#include <filesystem>
#include <memory>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "cli/shell_line.h"

namespace strobe::cli {
namespace {

constexpr std::size_t kRequestsOfNsys = 50;
// ncu runs each kernel dozens of times to read all counters.
constexpr std::size_t kRequestsOfNcu = 1, kKernelsOfNcu = 50;

using Words = std::vector<std::string>;

// A file's name that neither a shell nor nsys, which replaces %-signs, reads otherwise.
std::string file_name(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const bool kept = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    plain += kept ? c : '-';
  }
  return plain;
}

void append(Words& to, const Words& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// One pass in one process, around which strobe calls cuProfilerStart and cuProfilerStop.
Words strobe_words(const NsightPlan& p, std::size_t requests) {
  Words words{p.program, "run"};
  append(words, p.model);
  append(words, {"--pass", "latency", "--requests", std::to_string(p.requests.value_or(requests)), "--no-progress"});
  return words;
}

bool is_on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  const std::string folders = path ? path : "";
  for (const std::string_view folder : split(folders, ':')) {
    if (::access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return text ? text.get() : name;
}

std::string escaped_for_regex(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string any_of_kernels(const Words& kernels) {
  Words names;
  for (const std::string& kernel : kernels) {
    const std::string name = escaped_for_regex(function_name(kernel));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return fmt::format("regex:^({})$", fmt::join(names, "|"));
}

}  // namespace

std::string function_name(const std::string& kernel) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)";
  std::string text = demangled(kernel);
  for (std::size_t at = text.find(kUnnamed); at != std::string::npos; at = text.find(kUnnamed))
    text.erase(at, kUnnamed.size());
  std::string name;
  int templates = 0;
  for (const char c : text) {
    if (c == '(' && templates == 0) break;
    templates += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (templates > 0 || c == '>') continue;
    if (c == ':' || c == ' ')
      name.clear();
    else
      name += c;
  }
  return name.empty() ? kernel : name;
}

std::vector<std::string> nsys_words(const NsightPlan& p) {
  const char* more = p.accelerators ? ",cudla,tegra-accelerators" : "";
  Words words{"nsys",
              "profile",
              "--output=" + file_name(p.name),
              "--force-overwrite=true",
              fmt::format("--trace=cuda,nvtx,osrt{}", more),
              "--sample=none",
              "--capture-range=cudaProfilerApi",
              "--capture-range-end=stop",
              "--cuda-graph-trace=node",
              "--gpu-metrics-devices=all"};
  if (p.accelerators) words.emplace_back("--accelerator-trace=tegra-accelerators");
  words.emplace_back("--export=sqlite");
  append(words, strobe_words(p, kRequestsOfNsys));
  return words;
}

std::vector<std::string> ncu_words(const NsightPlan& p) {
  Words words{"ncu", "--profile-from-start", "off", "--nvtx"};
  if (!p.kernels.empty()) append(words, {"--kernel-name", any_of_kernels(p.kernels)});
  append(words, {"--launch-count", std::to_string(kKernelsOfNcu), "--export", file_name(p.name), "--force-overwrite"});
  append(words, strobe_words(p, kRequestsOfNcu));
  return words;
}

void become(const std::vector<std::string>& words, std::string_view about) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::string what = fmt::format("cannot run {}", words.front());
  if (!is_on_path(words.front()))
    throw Error(ErrorCode::not_found, what, "it is not on PATH",
                fmt::format("Install {}, or leave --run out and run the line where it is.", about));
  fmt::print(stderr, "{}\n", shell_line(words));
  std::signal(SIGPIPE, SIG_DFL);  // ours is kept over exec, and no other program expects that
  ::execvp(arguments.front(), arguments.data());
  const int code = errno;
  throw Error(ErrorCode::failed, what, std::generic_category().message(code));
}

}  // namespace strobe::cli
