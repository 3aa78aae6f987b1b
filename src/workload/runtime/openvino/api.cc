// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/openvino/api.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "base/parse.h"
#include "host/library.h"
#include "workload/runtime/python_packages.h"

namespace strobe::openvino {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestCause = 300;             // bytes of a message that are worth reading
constexpr int kOldestYear = 2025, kOldestRelease = 4;  // before that element types had other numbers
constexpr std::string_view kLibraryName = "libopenvino_c.so";

Api table{};

// The name ends with the release.
std::vector<std::string> libraries_in(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code none;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, none)) {
    if (file.path().filename().string().starts_with(kLibraryName)) found.push_back(file.path().string());
  }
  std::sort(found.rbegin(), found.rend());  // the newest first
  return found;
}

std::vector<std::string> candidates() {
  if (const char* named = std::getenv("STROBE_OPENVINO"); named && *named) {
    std::error_code none;
    if (!fs::is_directory(named, none)) return {named};
    const auto found = libraries_in(named);
    return found.empty() ? std::vector<std::string>{(fs::path(named) / kLibraryName).string()} : found;
  }
  std::vector<std::string> list;
  for (const fs::path& file : package_libraries("openvino/libs", kLibraryName)) list.push_back(file.string());
  for (std::string& file : libraries_in(STROBE_OPENVINO_FOLDER)) list.push_back(std::move(file));
  list.emplace_back(kLibraryName);
  return list;
}

// False: one is missing.
class Symbols {
 public:
  explicit Symbols(const Library& library) : library_(library) {}

  template <class Function>
  void read(Function*& to, const char* name) {
    to = library_.function<Function>(name);
    if (!to && missing_.empty()) missing_ = name;
  }
  const std::string& missing() const { return missing_; }

 private:
  const Library& library_;
  std::string missing_;
};

// Gives the name of a function that is not there.
std::string read_table(const Library& library, Api& a) {
  Symbols s(library);
  s.read(a.get_version, "ov_get_openvino_version");
  s.read(a.version_free, "ov_version_free");
  s.read(a.get_error_info, "ov_get_error_info");
  s.read(a.get_last_error, "ov_get_last_err_msg");
  s.read(a.free, "ov_free");
  s.read(a.core_create, "ov_core_create");
  s.read(a.core_free, "ov_core_free");
  s.read(a.core_read_model, "ov_core_read_model");
  s.read(a.core_compile_model, "ov_core_compile_model");
  s.read(a.core_get_property, "ov_core_get_property");
  s.read(a.core_get_devices, "ov_core_get_available_devices");
  s.read(a.devices_free, "ov_available_devices_free");
  s.read(a.model_free, "ov_model_free");
  s.read(a.model_inputs_size, "ov_model_inputs_size");
  s.read(a.model_outputs_size, "ov_model_outputs_size");
  s.read(a.model_const_input, "ov_model_const_input_by_index");
  s.read(a.model_const_output, "ov_model_const_output_by_index");
  s.read(a.model_reshape, "ov_model_reshape");
  s.read(a.port_get_any_name, "ov_port_get_any_name");
  s.read(a.port_get_element_type, "ov_port_get_element_type");
  s.read(a.port_get_partial_shape, "ov_port_get_partial_shape");
  s.read(a.port_free, "ov_output_const_port_free");
  s.read(a.partial_shape_create_static, "ov_partial_shape_create_static");
  s.read(a.partial_shape_free, "ov_partial_shape_free");
  s.read(a.shape_create, "ov_shape_create");
  s.read(a.shape_free, "ov_shape_free");
  s.read(a.compiled_model_free, "ov_compiled_model_free");
  s.read(a.compiled_model_outputs_size, "ov_compiled_model_outputs_size");
  s.read(a.compiled_model_output, "ov_compiled_model_output_by_index");
  s.read(a.compiled_model_get_property, "ov_compiled_model_get_property");
  s.read(a.create_infer_request, "ov_compiled_model_create_infer_request");
  s.read(a.infer_request_free, "ov_infer_request_free");
  s.read(a.set_input_tensor, "ov_infer_request_set_input_tensor_by_index");
  s.read(a.set_output_tensor, "ov_infer_request_set_output_tensor_by_index");
  s.read(a.get_output_tensor, "ov_infer_request_get_output_tensor_by_index");
  s.read(a.infer, "ov_infer_request_infer");
  s.read(a.set_callback, "ov_infer_request_set_callback");
  s.read(a.start_async, "ov_infer_request_start_async");
  s.read(a.wait, "ov_infer_request_wait");
  s.read(a.get_profiling_info, "ov_infer_request_get_profiling_info");
  s.read(a.profiling_info_list_free, "ov_profiling_info_list_free");
  s.read(a.tensor_create, "ov_tensor_create_from_host_ptr");
  s.read(a.tensor_free, "ov_tensor_free");
  s.read(a.tensor_data, "ov_tensor_data");
  s.read(a.tensor_get_byte_size, "ov_tensor_get_byte_size");
  s.read(a.tensor_get_element_type, "ov_tensor_get_element_type");
  s.read(a.tensor_get_shape, "ov_tensor_get_shape");
  return s.missing();
}

// "2026.4.1" of "2026.4.1-22064-9cde3f5d3a7-releases/2026/4".
std::string version_of(const Api& a) {
  ov_version_t v{};
  if (a.get_version(&v) != OK) return {};
  const std::string build = v.buildNumber ? v.buildNumber : "";
  a.version_free(&v);
  return build.substr(0, build.find('-'));
}

bool new_enough(const std::string& version) {
  const auto parts = split(version, '.');
  if (parts.size() < 2) return false;
  const int year = std::atoi(std::string(parts[0]).c_str()), release = std::atoi(std::string(parts[1]).c_str());
  return year > kOldestYear || (year == kOldestYear && release >= kOldestRelease);
}

// The library's message begins with the place in its own source, which no user knows: "Exception from
// src/…/a.cpp:130:".
std::string readable(const std::string& text) {
  std::string cause;
  for (const std::string_view line : split(text, '\n')) {
    const std::string words(trim(line));
    const bool place = words.starts_with("Exception from ") || words.starts_with("Check '") || words.ends_with(':');
    if (!words.empty() && !place) cause += (cause.empty() ? "" : " ") + words;
  }
  return cut_text(cause.empty() ? std::string(trim(text)) : cause, kLongestCause);
}

}  // namespace

const Api& api() {
  return table;
}

std::string open_library() {
  std::string reasons;
  const auto refuse = [&](const std::string& why) { reasons += (reasons.empty() ? "" : "; ") + why; };
  for (const std::string& name : candidates()) {
    const Library library = Library::open(name);
    if (!library) {
      refuse(library.why_not());
      continue;
    }
    Api found{};
    if (const std::string missing = read_table(library, found); !missing.empty()) {
      refuse(fmt::format("{} is not the C interface of OpenVINO, or too old: it has no {}", name, missing));
      continue;
    }
    const std::string version = version_of(found);
    if (!new_enough(version)) {
      refuse(fmt::format("{} is version {}, and {}.{} or newer is needed", name, version, kOldestYear, kOldestRelease));
      continue;
    }
    table = found;
    return version;
  }
  throw Error(ErrorCode::not_found, "cannot use OpenVINO", reasons,
              "Fetch it with 'make openvino' or 'pip install openvino', or name libopenvino_c.so or its folder in "
              "STROBE_OPENVINO.");
}

void check(ov_status_e status) {
  if (status == OK) return;
  const char* said = table.get_last_error();
  const char* kind = table.get_error_info(status);
  throw Failure(status, said && *said ? said : kind ? kind : "it failed");
}

Error error_from(const std::exception& e, const std::string& what) {
  if (dynamic_cast<const std::bad_alloc*>(&e))
    return Error(ErrorCode::out_of_memory, what, "the host has no memory left", "Use a smaller batch or shape.");
  const std::string cause = readable(e.what());
  Error told = error_by_words(what, cause);
  const auto* own = dynamic_cast<const Failure*>(&e);
  if (!own || told.code() != ErrorCode::failed) return told;
  if (own->status() == NOT_IMPLEMENTED) return Error(ErrorCode::unsupported, what, cause);
  return told;
}

std::string taken(char* text) {
  const std::string copy = text ? text : "";
  table.free(text);
  return copy;
}

}  // namespace strobe::openvino
