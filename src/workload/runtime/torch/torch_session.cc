// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/torch_session.h"

#include <ATen/ATen.h>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "workload/runtime/torch/archive.h"
#include "workload/runtime/torch/cuda.h"
#include "workload/runtime/torch/element_type.h"
#include "workload/runtime/torch/errors.h"
#include "workload/runtime/torch/graph_replay.h"
#include "workload/runtime/torch/host_tensors.h"
#include "workload/runtime/torch/outputs.h"
#include "workload/runtime/torch/package_model.h"
#include "workload/runtime/torch/script_model.h"
#include "workload/runtime/torch/torch_profile.h"

namespace strobe::torch_plugin {
namespace {

std::span<std::byte> bytes_of(const at::Tensor& t) {
  return {static_cast<std::byte*>(t.mutable_data_ptr()), t.nbytes()};
}

bool is_one_piece(const at::Tensor& t) {
  return t.layout() == at::kStrided && t.is_non_overlapping_and_dense();
}

std::optional<c10::Stream> stream_on(c10::Device device, void* shared) {
  if (!device.is_cuda()) return std::nullopt;
  return guarded("cannot make a stream", [&] { return shared ? external_stream(device, shared) : new_stream(device); });
}

std::unique_ptr<Model> open_model(const ModelOptions& options, c10::Device device) {
  if (archive_kind(options.path) == ArchiveKind::package) return std::make_unique<PackageModel>(options, device);
  return std::make_unique<ScriptModel>(options, device);
}

}  // namespace

TorchSession::TorchSession(const Runtime& runtime, const ModelOptions& model, Device& where, const Flags& flags)
    : TorchSession(runtime, model, where, flags, stream_on(torch_device(where), model.stream)) {}

TorchSession::TorchSession(const Runtime& runtime, const ModelOptions& model, Device& where, const Flags& flags,
                           std::optional<c10::Stream> torch_stream)
    : SessionBase(runtime, model, where, torch_stream ? where.adopt(torch_stream->native_handle()) : where.stream()),
      torch_device_(torch_device(where)),
      flags_(flags),
      torch_stream_(torch_stream) {
  set_flags(flags_);
  if (model.record_memory && !torch_stream_) recorder_ = std::make_unique<TorchMemory>();
  model_ = open_model(model, torch_device_);
  if (recorder_) recorder_->set_cause("input sets");
  prepare(model_->inputs());
  if (recorder_) recorder_->set_cause("requests");
}

// In a broken context torch's and a package's own destructors throw, which ends the process: whatever they hold goes
// with it anyway.
TorchSession::~TorchSession() {
  if (!torch_stream_) return;
  if (!drain()) {
    [[maybe_unused]] const auto* never_destroyed = new (std::nothrow) std::pair(std::move(model_), std::move(sets_));
    return;
  }
  sets_.clear();
  model_.reset();
  try {
    release_cached_memory(torch_device_);
  } catch (const std::exception&) {  // a broken context: whoever measured has said so already
  }
}

Error TorchSession::error_from(const std::exception& e, const std::string& what) const {
  return torch_plugin::error_from(e, what);
}

// Values are written in the order of the dimensions, then laid out as asked for: a file's values stay what they are.
SessionBase::SetMemory TorchSession::bind(std::size_t index) {
  const OnStream on(torch_stream_);
  InputSet& set = sets_.emplace_back();
  SetMemory memory;
  for (const PlannedInput& in : planned()) {
    at::Tensor t = at::empty(in.shape, at::dtype(to_torch(in.type)).device(torch_device_));
    fill(in, bytes_of(t), index);
    if (!options().layout.empty() && t.dim() == 4) t = t.contiguous(at::MemoryFormat::ChannelsLast);
    if (!options().layout.empty() && t.dim() == 5) t = t.contiguous(at::MemoryFormat::ChannelsLast3d);
    memory.inputs.push_back(bytes_of(t));
    set.inputs.push_back(std::move(t));
  }
  stream().synchronize();
  model_->prepare(set);
  return memory;
}

void TorchSession::run(std::size_t set) {
  const OnStream on(torch_stream_);
  ranges_.begin_request();
  model_->run(sets_[set]);
}

void TorchSession::find_outputs(std::size_t index, Stream& on, std::vector<OutputView>& found) {
  InputSet& set = sets_[index];
  const auto outputs = model_->outputs(set);
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    at::Tensor t = outputs[k].tensor;
    if (!t.is_cuda()) continue;  // it is on the host already
    if (!is_one_piece(t)) t = gathered(t, set, k, on);
    found.push_back({from_torch(t.scalar_type()).value_or(TensorType::u8), bytes_of(t)});
  }
}

// On the stream of the copy, which follows: as torch does it for whoever asks for such a tensor on the host. What it
// makes lives until it is made again.
at::Tensor TorchSession::gathered(const at::Tensor& t, InputSet& set, std::size_t output, Stream& on) const {
  const bool own = on.native() == torch_stream_->native_handle();
  const OnStream there(own ? *torch_stream_ : external_stream(torch_device_, on.native()));
  if (set.gathered.size() <= output) set.gathered.resize(output + 1);
  set.gathered[output] = t.layout() == at::kStrided ? t.contiguous() : t.to_dense();
  return set.gathered[output];
}

Outputs TorchSession::read_outputs(std::size_t set) {
  const OnStream on(torch_stream_);
  return to_host(model_->outputs(sets_[set]));
}

Replay TorchSession::replay() {
  if (!torch_stream_) return {nullptr, "the CPU has no graphs"};
  if (std::string why_not = why_too_many_graphs(); !why_not.empty()) return {nullptr, std::move(why_not)};
  return GraphReplay::capture({*this, *model_, *torch_stream_, sets_});
}

std::unique_ptr<Workload> TorchSession::through_host() {
  return guarded("cannot use tensors on the host",
                 [&] { return std::make_unique<HostTensors>(*this, *model_, torch_stream_, torch_device_, sets_); });
}

std::optional<std::uint64_t> TorchSession::device_allocations() const {
  if (!torch_stream_) return std::nullopt;
  return torch_plugin::device_allocations(torch_device_);
}

Profiling TorchSession::profile() {
  if (torch_stream_ && archive_kind(options().path) == ArchiveKind::package)
    return {nullptr, "a package is compiled: its kernels are of no operator that torch could name"};
  return {std::make_unique<TorchProfile>(*this, options().optimize, torch_stream_ ? "CUDA" : "CPU"), {}};
}

AllocatorReading TorchSession::allocator() {
  return {std::nullopt, torch_stream_ ? "torch's allocator on a GPU is not asked yet"
                                      : "torch keeps nothing on the CPU: what is given back goes to the C library"};
}

Allocations TorchSession::allocations() {
  if (torch_stream_)
    return {{}, {}, "allocations on a GPU need a tracer of its driver, which Strobe does not have yet"};
  if (!recorder_) return {{}, {}, "nobody asked for them before the load"};
  return {recorder_->events(),
          "torch's own reports, by operator; what its libraries take from the heap is not in them",
          {}};
}

void TorchSession::describe(ModelInfo& info) const {
  for (const NamedTensor& out : model_->outputs(sets_[0]))  // none before the first request
    info.outputs.push_back({out.name, type_name(out.tensor), out.tensor.sizes().vec(), {}});
  info.parameters = model_->parameters();
  info.facts["inference_mode"] = true;
  model_->describe(info.facts);
  torch_plugin::describe(flags_, device().info(), info.facts);
}

}  // namespace strobe::torch_plugin
