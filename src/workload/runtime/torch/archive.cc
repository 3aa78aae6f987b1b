// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/archive.h"

#include <algorithm>
#include <caffe2/serialize/inline_container.h>
#include <fstream>

#include <fmt/format.h>

#include <strobe/error.h>

namespace strobe::torch_plugin {
namespace {

constexpr const char* kExport = "Save the program: torch.jit.save(torch.jit.trace(model.eval(), example), 'model.pt').";

bool is_zip(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char head[2] = {};
  file.read(head, 2);
  return head[0] == 'P' && head[1] == 'K';
}

std::vector<std::string> records(const std::string& path) {
  try {
    return caffe2::serialize::PyTorchStreamReader(path).getAllRecords();
  } catch (const std::exception&) {
    throw Error(ErrorCode::bad_input, fmt::format("cannot open '{}'", path), "it is cut off or damaged",
                "Fetch or save it again.");
  }
}

}  // namespace

ArchiveKind archive_kind(const std::string& path) {
  const auto refuse = [&](const char* cause, const char* advice) {
    throw Error(ErrorCode::bad_input, fmt::format("cannot open '{}'", path), cause, advice);
  };
  if (!is_zip(path)) refuse("it is neither a TorchScript file nor an AOTInductor package", kExport);
  const std::vector<std::string> names = records(path);
  const auto any = [&](std::string_view begin) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return n.starts_with(begin); });
  };
  if (any("data/aotinductor/")) return ArchiveKind::package;
  if (any("constants.pkl")) return ArchiveKind::script;
  if (any("models/") || any("archive_format") || any("serialized_exported_program"))
    refuse("it holds an exported program that was not compiled",
           "Compile it: torch._inductor.aoti_compile_and_package(program, package_path='model.pt2').");
  refuse("it holds weights alone, no program", kExport);
  return ArchiveKind::script;
}

}  // namespace strobe::torch_plugin
