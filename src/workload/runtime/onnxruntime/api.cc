// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/onnxruntime/api.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <new>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "base/parse.h"
#include "host/library.h"
#include "workload/runtime/python_packages.h"

namespace strobe::onnxruntime {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestCause = 300;  // bytes of a message that are worth reading
constexpr const char* kCudaProvider = "libonnxruntime_providers_cuda.so";

fs::path plugin_folder() {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<void*>(&open_library), &info) || !info.dli_fname) return {};
  return fs::path(info.dli_fname).parent_path();
}

std::vector<std::string> candidates() {
  if (const char* path = std::getenv("STROBE_ONNXRUNTIME"); path && *path) return {path};
  std::vector<std::string> list;
  const fs::path beside = plugin_folder() / "libonnxruntime.so.1";
  std::error_code code;
  if (fs::exists(beside, code)) list.push_back(beside.string());
  for (const fs::path& library : package_libraries("onnxruntime/capi", "libonnxruntime.so."))
    list.push_back(library.string());
  list.push_back("libonnxruntime.so.1");
  return list;
}

// Where the function's signature that stands at `from` ends, if one does: "void* onnxruntime::F(size_t, bool) message".
std::size_t signature_end(std::string_view text, std::size_t from) {
  const std::size_t open = text.find('(', from);
  if (open == std::string_view::npos || text.substr(from, open - from).find("::") == std::string_view::npos)
    return from;
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return from;
}

// The first line, without the place in the library's own source: "…/bfc_arena.cc:360 void* onnxruntime::F(…) message".
std::string readable(std::string text) {
  text = text.substr(0, text.find('\n'));
  text = text.substr(0, text.find(" ; GPU="));  // file, line and expression of a failed CUDA call
  for (const std::string_view suffix : {".cc:", ".cpp:", ".h:"}) {
    for (std::size_t at = text.find(suffix); at != std::string::npos; at = text.find(suffix)) {
      const std::size_t blank = text.rfind(' ', at), begin = blank == std::string::npos ? 0 : blank + 1;
      std::size_t end = text.find_first_not_of("0123456789", at + suffix.size());
      end = end == std::string::npos ? text.size() : signature_end(text, end);
      while (end < text.size() && text[end] == ' ') ++end;
      text.erase(begin, end - begin);
    }
  }
  return cut_text(trim(text), kLongestCause);
}

// The library as it is published keeps a database of events under ~/.cache and sends them to its maker, seconds after
// its environment is made. The function of its API that ends this comes too late, for it needs an environment.
void switch_off_telemetry() {
  ::setenv("ORT_DISABLE_TELEMETRY", "1", 1);
}

}  // namespace

Opened open_library() {
  switch_off_telemetry();
  std::string reasons;
  for (const std::string& name : candidates()) {
    const Library lib = Library::open(name);
    const auto base = lib ? lib.function<const OrtApiBase*()>("OrtGetApiBase") : nullptr;
    if (!base) {
      reasons += (reasons.empty() ? "" : "; ") + (lib ? name + " is not ONNX Runtime" : lib.why_not());
      continue;
    }
    const std::string version = base()->GetVersionString();
    // An older library prints to stderr and gives null for an API it does not have; ask only when it can have it.
    const int minor = std::atoi(version.substr(version.find('.') + 1).c_str());
    const OrtApi* api = minor >= ORT_API_VERSION ? base()->GetApi(ORT_API_VERSION) : nullptr;
    if (api) {
      Ort::InitApi(api);
      return {version, lib.path()};
    }
    reasons += fmt::format("{}{} is version {}, and 1.{} or newer is needed", reasons.empty() ? "" : "; ", name,
                           version, ORT_API_VERSION);
  }
  throw Error(ErrorCode::not_found, "cannot use ONNX Runtime", reasons,
              "Install it (pip install onnxruntime), put libonnxruntime.so.1 next to the plugin, or name the file in "
              "STROBE_ONNXRUNTIME.");
}

void open_cuda_libraries(const fs::path& library) {
  open_nvidia_packages(library.parent_path() / kCudaProvider, {packages_of(library), own_packages()});
}

Error error_from(const std::exception& e, const std::string& what) {
  if (dynamic_cast<const std::bad_alloc*>(&e))
    return Error(ErrorCode::out_of_memory, what, "the host has no memory left", "Use a smaller batch or shape.");
  const std::string cause = readable(e.what());
  Error told = error_by_words(what, cause);
  const auto* own = dynamic_cast<const Ort::Exception*>(&e);
  if (!own || told.code() != ErrorCode::failed) return told;
  switch (own->GetOrtErrorCode()) {
    case ORT_NO_SUCHFILE:
      return Error(ErrorCode::not_found, what, cause);
    case ORT_INVALID_PROTOBUF:
    case ORT_NO_MODEL:
      return Error(ErrorCode::bad_input, what, "it is not a whole ONNX file",
                   "Is it cut off, or a Git LFS pointer? Fetch the real file and try again.");
    case ORT_NOT_IMPLEMENTED:
      return Error(ErrorCode::unsupported, what, cause);
    case ORT_INVALID_GRAPH:
    case ORT_INVALID_ARGUMENT:
      return Error(ErrorCode::bad_input, what, cause);
    default:
      return told;
  }
}

}  // namespace strobe::onnxruntime
