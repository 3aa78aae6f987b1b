#include "workload/torch/torch_session.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "host/facts.h"
#include "record/precision.h"
#include "workload/error_words.h"
#include "workload/fill.h"
#include "workload/torch/archive.h"
#include "workload/torch/cuda.h"
#include "workload/torch/element_type.h"
#include "workload/torch/errors.h"
#include "workload/torch/graph_replay.h"
#include "workload/torch/host_tensors.h"
#include "workload/torch/outputs.h"
#include "workload/torch/package_model.h"
#include "workload/torch/script_model.h"

namespace strobe::torch_plugin {
namespace {

std::span<std::byte> bytes_of(const at::Tensor& t) {
  return {static_cast<std::byte*>(t.mutable_data_ptr()), t.nbytes()};
}

bool is_one_piece(const at::Tensor& t) {
  return t.layout() == at::kStrided && t.is_non_overlapping_and_dense();
}

std::optional<Bytes> free_memory(const Device& device) {
  if (const auto memory = device.memory()) return memory->free;
  return available_memory();
}

}  // namespace

TorchSession::TorchSession(const ModelOptions& options, Device& device, const Flags& flags, std::string runtime_version)
    : options_(options),
      device_(device),
      torch_device_(torch_device(device)),
      flags_(flags),
      runtime_version_(std::move(runtime_version)) {
  set_flags(flags_);
  if (torch_device_.is_cuda()) {
    guarded("cannot make a stream", [&] { torch_stream_ = new_stream(torch_device_); });
    stream_ = device.adopt(torch_stream_->native_handle());
  } else {
    stream_ = device.stream();
  }
  open_model();
  planned_ = plan_inputs(model_->inputs(), options);
  items_ = items_of(planned_);
  const std::size_t count = std::max<std::size_t>(1, options.input_sets);
  check_fits(planned_, count, free_memory(device));
  sets_.resize(count), twins_.resize(count);
  guarded(fmt::format("cannot prepare the tensors of '{}'", options.path), [&] {
    for (std::size_t i = 0; i < count; ++i) fill(sets_[i], i);
  });
}

// In a broken context torch's and a package's own destructors throw, which ends the process: whatever they hold goes
// with it anyway.
TorchSession::~TorchSession() {
  if (!torch_stream_) return;
  try {
    stream_->synchronize();
  } catch (const Error&) {
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

void TorchSession::open_model() {
  if (archive_kind(options_.path) == ArchiveKind::package)
    model_ = std::make_unique<PackageModel>(options_, torch_device_);
  else
    model_ = std::make_unique<ScriptModel>(options_, torch_device_);
}

// Values are written in the order of the dimensions, then laid out as asked for: a file's values stay what they are.
void TorchSession::fill(InputSet& set, std::size_t index) {
  const OnStream on(torch_stream_);
  for (const PlannedInput& in : planned_) {
    at::Tensor t = at::empty(in.shape, at::dtype(to_torch(in.type)).device(torch_device_));
    fill_input(*stream_, in, bytes_of(t), options_.seed, index, options_.repeat_items ? items_ : 1);
    if (!options_.layout.empty() && t.dim() == 4) t = t.contiguous(at::MemoryFormat::ChannelsLast);
    if (!options_.layout.empty() && t.dim() == 5) t = t.contiguous(at::MemoryFormat::ChannelsLast3d);
    set.inputs.push_back(std::move(t));
  }
  stream_->synchronize();
  model_->prepare(set);
}

void TorchSession::submit(std::size_t request) {
  const OnStream on(torch_stream_);
  try {
    model_->run(sets_[request % sets_.size()]);
  } catch (const std::exception& e) {
    throw seen_through(error_from(e, fmt::format("cannot run '{}'", options_.path)), *stream_);
  }
}

std::size_t TorchSession::copy_in(std::size_t request, Stream& on, HostMemory memory) {
  if (!torch_stream_) return 0;
  const std::size_t i = request % sets_.size();
  std::vector<Buffer>& hosts = twins_[i].of(memory).inputs;
  std::size_t bytes = 0;
  for (std::size_t k = 0; k < planned_.size(); ++k) {
    const auto to = bytes_of(sets_[i].inputs[k]);
    if (hosts.size() <= k) {
      Buffer& host = hosts.emplace_back(device_.buffer(to.size(), place_of(memory)));
      std::ranges::copy(read_back(*stream_, to), host.bytes().begin());
    }
    on.copy(to, hosts[k].bytes());
    bytes += to.size();
  }
  return bytes;
}

std::size_t TorchSession::copy_out(std::size_t request, Stream& on, HostMemory memory) {
  if (!torch_stream_) return 0;
  const std::size_t i = request % sets_.size();
  const auto outputs = model_->outputs(sets_[i]);
  std::vector<Buffer>& hosts = twins_[i].of(memory).outputs;
  std::size_t bytes = 0;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    at::Tensor t = outputs[k].tensor;
    if (hosts.size() <= k) hosts.emplace_back();
    if (!t.is_cuda()) continue;  // it is on the host already
    if (!is_one_piece(t)) t = gathered(t, sets_[i], k, on);
    if (hosts[k].bytes().size() < t.nbytes()) hosts[k] = device_.buffer(t.nbytes(), place_of(memory));
    on.copy(hosts[k].bytes().first(t.nbytes()), bytes_of(t));
    bytes += t.nbytes();
  }
  return bytes;
}

// On the stream of the copy, which follows: as torch does it for whoever asks for such a tensor on the host. What it
// makes lives until it is made again.
at::Tensor TorchSession::gathered(const at::Tensor& t, InputSet& set, std::size_t output, Stream& on) const {
  const bool own = on.native() == stream_->native();
  const OnStream there(own ? *torch_stream_ : external_stream(torch_device_, on.native()));
  if (set.gathered.size() <= output) set.gathered.resize(output + 1);
  return set.gathered[output] = guarded(fmt::format("cannot copy the outputs of '{}'", options_.path),
                                        [&] { return t.layout() == at::kStrided ? t.contiguous() : t.to_dense(); });
}

Replay TorchSession::replay() {
  if (!torch_stream_) return {nullptr, "the CPU has no graphs"};
  return GraphReplay::capture({*model_, *stream_, *torch_stream_, sets_, planned_, items_, allows_tf32(info())});
}

std::unique_ptr<Workload> TorchSession::through_host() {
  return guarded("cannot use tensors on the host", [&] {
    return std::make_unique<HostTensors>(*model_, *stream_, torch_stream_, torch_device_, sets_, items_, info());
  });
}

Outputs TorchSession::outputs_of(std::size_t set) {
  submit(set);
  const OnStream on(torch_stream_);
  return guarded(fmt::format("cannot read the outputs of '{}'", options_.path),
                 [&] { return to_host(model_->outputs(sets_[set])); });
}

std::optional<OutputCheck> TorchSession::check() {
  const auto run = [this](std::size_t set) { return outputs_of(set); };
  return check_outputs(planned_, sets_.size(), run, allows_tf32(info()), &first_outputs_);
}

void TorchSession::check_again(OutputCheck& check) {
  compare_late(first_outputs_, outputs_of(0), allows_tf32(info()), check);
}

// Of floats alone: half of random bools and small integers are zero, and that means nothing.
std::optional<ValueShares> TorchSession::input_values() const {
  const OnStream on(torch_stream_);
  ValueShares shares;
  double all = 0;
  const auto count = [](const at::Tensor& t) { return static_cast<double>(at::count_nonzero(t).item<std::int64_t>()); };
  for (const InputSet& set : sets_) {
    for (const at::Tensor& t : set.inputs) {
      if (!t.is_floating_point()) continue;
      const auto n = static_cast<double>(t.numel());
      const double smallest = t.scalar_type() == at::kHalf     ? 0x1p-14
                              : t.scalar_type() == at::kDouble ? 0x1p-1022
                                                               : 0x1p-126;
      const double zero = n - count(t);
      all += n;
      shares.zero += zero;
      shares.subnormal += count(at::lt(at::abs(t), smallest)) - zero;
      shares.not_finite += n - count(at::isfinite(t));
    }
  }
  if (all == 0) return std::nullopt;
  return ValueShares{shares.zero / all, shares.subnormal / all, shares.not_finite / all};
}

std::optional<std::uint64_t> TorchSession::device_allocations() const {
  if (!torch_stream_) return std::nullopt;
  return torch_plugin::device_allocations(torch_device_);
}

ModelInfo TorchSession::info() const {
  ModelInfo info;
  info.runtime = "torch";
  info.runtime_version = runtime_version_;
  for (const PlannedInput& in : planned_) {
    info.inputs.push_back(
        {in.name, std::string(name(in.type)), in.shape, in.values ? options_.input_files.at(in.name) : in.source()});
  }
  for (const NamedTensor& out : model_->outputs(sets_[0]))  // none before the first request
    info.outputs.push_back({out.name, type_name(out.tensor), out.tensor.sizes().vec(), {}});
  info.parameters = model_->parameters();
  info.facts["inference_mode"] = true;
  model_->describe(info.facts);
  describe(flags_, device_.info(), info.facts);
  if (!options_.dtype.empty()) info.facts["dtype"] = options_.dtype;
  if (!options_.layout.empty()) info.facts["layout"] = options_.layout;
  for (const auto& [key, value] : options_.settings) info.facts["set." + key] = value;
  return info;
}

}  // namespace strobe::torch_plugin
