// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/package_model.h"

#include <cstdlib>
#include <iostream>
#include <mutex>
#include <sstream>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/library.h"
#include "workload/runtime/torch/beside.h"
#include "workload/runtime/torch/cuda.h"
#include "workload/runtime/torch/errors.h"
#include "workload/runtime/torch/outputs.h"

namespace strobe::torch_plugin {
namespace {

using torch::inductor::AOTIModelPackageLoader;

constexpr const char* kModel = "model";  // the only one in a package, unless its author asked for more

// Every package asks for libtorch.so, an empty library that draws in all of CUDA. Where that cannot be opened, one of
// ours with the same name stands in: the package's own needs are met by libtorch_cpu, which is open already.
void open_umbrella() {
  if (Library::open((torch_folder() / "libtorch.so").string(), true)) return;
  Library::open(beside("strobe_torch_umbrella.so"), true);
}

std::mutex& only_one() {
  static std::mutex m;
  return m;
}

// A package prints why it failed and throws only that it did: this catches what it prints. The process has one cerr,
// and sessions on several threads may make their first requests at once: one after the other.
class CaughtErrors {
 public:
  CaughtErrors() : turn_(only_one()), before_(std::cerr.rdbuf(text_.rdbuf())) {}
  ~CaughtErrors() { std::cerr.rdbuf(before_); }
  CaughtErrors(const CaughtErrors&) = delete;
  CaughtErrors& operator=(const CaughtErrors&) = delete;

  // A line of it without the package's own prefix; empty when it printed nothing.
  std::string cause() const {
    const std::string text = text_.str();
    const std::size_t begin = text.find("Error: ");
    return begin == std::string::npos ? std::string() : readable(text.substr(begin + 7));
  }

 private:
  std::lock_guard<std::mutex> turn_;
  std::ostringstream text_;
  std::streambuf* before_;
};

void check_options(const ModelOptions& o) {
  const char* option = !o.dtype.empty() ? "dtype" : !o.layout.empty() ? "layout" : !o.optimize ? "no-optimize" : "";
  if (*option)
    throw Error(ErrorCode::usage, fmt::format("cannot use {} with '{}'", o.names.of(option), o.path),
                "a package cannot be changed after compilation", "Export it that way, or leave the option out.");
}

std::size_t leaves(const nlohmann::json& spec) {
  if (!spec.is_object()) return 0;
  if (spec.value("type", nlohmann::json()).is_null()) return 1;
  std::size_t n = 0;
  for (const auto& child : spec.value("children_spec", nlohmann::json::array())) n += leaves(child);
  return n;
}

// A package knows how many inputs it takes, not what they are called.
std::vector<std::string> input_names(const Description& d, AOTIModelPackageLoader& loader) {
  std::vector<std::string> names;
  for (const DeclaredInput& in : d.inputs) names.push_back(in.name);
  if (!names.empty()) return names;
  const auto spec = nlohmann::json::parse(loader.get_call_spec().at(0), nullptr, false);
  const std::size_t count = spec.is_array() && spec.size() == 2 ? leaves(spec[1]) : 0;
  for (std::size_t i = 0; i < count; ++i) names.push_back(count == 1 ? "input" : fmt::format("input{}", i));
  return names;
}

void check_device(const std::string& compiled_for, at::Device device, const std::string& path) {
  const std::string asked = c10::DeviceTypeName(device.type(), true);
  if (compiled_for.empty() || compiled_for == asked) return;
  throw Error(ErrorCode::usage, fmt::format("cannot run '{}' on {}", path, asked),
              fmt::format("it was compiled for {}", compiled_for),
              fmt::format("Use --device {}, or export it for {}.", compiled_for, asked));
}

void check_batch(const Description& d, const ModelOptions& o) {
  const std::int64_t batch = o.batch.value_or(1);
  const bool known = o.batch.has_value() || (o.shapes.empty() && o.input_files.empty());
  if (d.least_batch && batch < *d.least_batch && known)
    throw Error(ErrorCode::usage, fmt::format("cannot run with a batch of {}", batch),
                fmt::format("'{}' was compiled for batches from {} on", o.path, *d.least_batch),
                fmt::format("Add {}, or export it for one with --batch-max 1.",
                            o.names.with("batch", std::to_string(*d.least_batch))));
  if (!d.most_batch || !o.batch || *o.batch <= *d.most_batch) return;
  throw Error(ErrorCode::usage, fmt::format("cannot run with {}", o.names.with("batch", std::to_string(*o.batch))),
              fmt::format("'{}' was compiled for batches up to {}", o.path, *d.most_batch),
              "Export it with a larger --batch-max.");
}

}  // namespace

PackageModel::PackageModel(const ModelOptions& o, at::Device device) {
  check_options(o);
  // Without this a package believes its shapes, and a wrong one reads beyond the end of a tensor.
  ::setenv("AOTI_RUNTIME_CHECK_INPUTS", "1", 0);
  const std::string what = fmt::format("cannot load '{}'", o.path);
  const auto metadata =
      guarded(what, [&] { return AOTIModelPackageLoader::load_metadata_from_package(o.path, kModel); });
  const auto entry = [&](const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
  };
  compiled_for_ = entry("AOTI_DEVICE_KEY");
  check_device(compiled_for_, device, o.path);
  const Description description = parse_description(entry(kDescriptionFile), o.path);
  check_batch(description, o);
  open_umbrella();
  guarded(what, [&] {
    // Single-threaded: otherwise a second run waits inside for the first one's end, and nothing can be queued ahead.
    loader_ = std::make_unique<AOTIModelPackageLoader>(o.path, kModel, true, 1, device.is_cuda() ? device.index() : -1);
  });
  inputs_ = declare(guarded(what, [&] { return input_names(description, *loader_); }), description, o);
  parameters_ = description.parameters;
}

PackageModel::~PackageModel() = default;

void PackageModel::run(InputSet& set) {
  if (ran_) {
    set.results = loader_->run(set.inputs);
    return;
  }
  CaughtErrors errors;
  try {
    set.results = loader_->run(set.inputs);
    ran_ = true;
  } catch (const std::exception&) {
    if (errors.cause().empty()) throw;
    throw std::runtime_error(errors.cause());
  }
}

std::vector<NamedTensor> PackageModel::outputs(const InputSet& set) const {
  return flatten(set.results);
}

void PackageModel::describe(Scalars& facts) const {
  facts["format"] = std::string("aotinductor");
  facts["compiled_for"] = compiled_for_;
}

}  // namespace strobe::torch_plugin
