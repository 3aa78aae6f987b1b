// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cupti.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "base/parse.h"
#include "host/library.h"

namespace strobe::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::array kCuptiNames{"libcupti.so.13", "libcupti.so.14", "libcupti.so.12"};

template <class Function>
bool find_entry(const Library& library, const char* name, Function& slot) {
  slot = reinterpret_cast<Function>(library.symbol(name));
  return slot != nullptr;
}

// Every function that recording needs.
bool fill_cupti(const Library& library, Cupti& c) {
  find_entry(library, "cuptiSetThreadIdType", c.set_thread_id_type);
  find_entry(library, "cuptiGetCallbackName", c.callback_name);
  find_entry(library, "cuptiSubscribe_v2", c.subscribe);
  find_entry(library, "cuptiUnsubscribe", c.unsubscribe);
  return find_entry(library, "cuptiGetResultString", c.get_result_string) &&
         find_entry(library, "cuptiGetTimestamp", c.get_timestamp) &&
         find_entry(library, "cuptiActivityRegisterCallbacks", c.register_callbacks) &&
         find_entry(library, "cuptiActivityEnable", c.enable) &&
         find_entry(library, "cuptiActivityDisable", c.disable) &&
         find_entry(library, "cuptiActivityFlushAll", c.flush_all) &&
         find_entry(library, "cuptiActivityGetNextRecord", c.next_record) &&
         find_entry(library, "cuptiActivityGetNumDroppedRecords", c.dropped_records);
}

Cupti cupti_from(const Library& library) {
  Cupti c;
  c.file = library.path();
  if (!find_entry(library, "cuptiGetVersion", c.get_version) || c.get_version(&c.version) != CuptiResult::success)
    c.why_not = fmt::format("{} is not CUPTI", c.file.string());
  else if (c.why_not = refuse_cupti_version(c.version); c.why_not.empty() && !fill_cupti(library, c))
    c.why_not = fmt::format("{} lacks a function that Strobe needs", c.file.string());
  return c;
}

Library loaded_cupti() {
  for (const char* name : kCuptiNames) {
    if (Library library = Library::opened(name)) return library;
  }
  return {};
}

std::vector<fs::path> toolkit_folders() {
  std::vector<fs::path> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* toolkit = std::getenv(variable); toolkit && *toolkit) folders.emplace_back(toolkit);
  }
  folders.emplace_back("/usr/local/cuda");
  for (fs::path& f : folders) f /= "extras/CUPTI/lib64";
  return folders;
}

std::string own_maps() {
  std::ifstream in("/proc/self/maps");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> cupti_candidates() {
  if (const char* named = std::getenv("STROBE_CUPTI"); named && *named) return {named};
  std::vector<std::string> all(kCuptiNames.begin(), kCuptiNames.end());
  std::vector<fs::path> folders = cupti_folders(own_maps());
  for (const fs::path& f : toolkit_folders()) folders.push_back(f);
  std::error_code none;
  for (const fs::path& folder : folders) {
    for (const char* name : kCuptiNames) {
      if (fs::exists(folder / name, none)) all.push_back((folder / name).string());
    }
  }
  return all;
}

}  // namespace

std::string refuse_cupti_version(std::uint32_t version) {
  if (version >= kOldestCupti) return {};
  return fmt::format("CUPTI of version {} is here, and {} (that of CUDA 13.0 update 1) or newer is needed", version,
                     kOldestCupti);
}

std::vector<fs::path> cupti_folders(std::string_view maps) {
  constexpr std::string_view kPackages = "/site-packages/";
  std::set<fs::path> environments;
  for (const std::string_view line : split(maps, '\n')) {
    const std::size_t path = line.find('/'), at = line.find(kPackages);
    if (path == std::string_view::npos || at == std::string_view::npos || at < path) continue;
    environments.emplace(line.substr(path, at + kPackages.size() - 1 - path));
  }
  std::vector<fs::path> folders;
  for (const fs::path& environment : environments) {
    std::error_code none;
    for (const fs::directory_entry& package : fs::directory_iterator(environment / "nvidia", none))
      folders.push_back(package.path() / "lib");
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

Cupti load_cupti() {
  if (const Library library = loaded_cupti()) return cupti_from(library);
  Cupti refused;
  refused.why_not =
      "libcupti was not found: install NVIDIA's package nvidia-cuda-cupti, or name the file in STROBE_CUPTI";
  for (const std::string& name : cupti_candidates()) {
    const Library library = Library::open(name);
    if (!library) continue;
    Cupti found = cupti_from(library);
    if (found.usable()) return found;
    refused.why_not = found.why_not;
  }
  return refused;
}

std::string cupti_holder(const Cupti& c) {
  if (!c.subscribe || !c.unsubscribe) return {};
  std::array<char, 64> holder{};
  CuptiSubscriberParams params{.name = "Strobe", .old_name = holder.data(), .old_size = holder.size()};
  void* subscriber = nullptr;
  const CuptiResult r =
      c.subscribe(&subscriber, [](void*, CuptiDomain, std::uint32_t, const void*) {}, nullptr, &params);
  if (r == CuptiResult::success) c.unsubscribe(subscriber);
  return r == CuptiResult::several_subscribers ? std::string(holder.data()) : std::string();
}

std::string describe(const Cupti& c, CuptiResult r) {
  const char* text = nullptr;
  if (c.get_result_string && c.get_result_string(r, &text) == CuptiResult::success && text) return text;
  return fmt::format("CUPTI error {}", static_cast<int>(r));
}

}  // namespace strobe::cuda
