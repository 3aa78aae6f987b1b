// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/onnxruntime/onnx_session.h"

#include <fmt/format.h>

#include "host/file.h"
#include "host/thread_count.h"
#include "workload/runtime/onnxruntime/arena.h"
#include "workload/runtime/onnxruntime/element_type.h"
#include "workload/runtime/onnxruntime/host_tensors.h"
#include "workload/runtime/onnxruntime/onnx_profile.h"
#include "workload/runtime/onnxruntime/profile_probe.h"
#include "workload/runtime/tf32.h"
#include "workload/tensor/fill.h"

namespace strobe::onnxruntime {
namespace {

int device_index(const Device& device) {
  return static_cast<int>(std::get<std::int64_t>(device.info().facts.at("index")));
}

}  // namespace

OnnxSession::OnnxSession(const Runtime& runtime, Ort::Env& env, const ModelOptions& model, Device& where,
                         SessionUse use)
    : SessionBase(runtime, model, where), env_(env), on_gpu_(where.info().kind == "cuda"), use_(std::move(use)) {
  guarded(fmt::format("cannot load '{}'", model.path), [&] { load(); });
  prepare(declared_.inputs);
  if (recorder_) recorder_->set_cause("requests");
}

OnnxSession::~OnnxSession() {
  drain();
}

void OnnxSession::load() {
  if (options().record_memory && !on_gpu_ && use_.profile.empty())
    recorder_ = std::make_unique<RecordingAllocator>(env_);
  Ort::SessionOptions settings = session_options(options(), device(), stream(), use_);
  if (recorder_) settings.AddConfigEntry("session.use_env_allocators", "1");
  const std::size_t before = thread_count();
  session_ = Ort::Session(env_, options().path.c_str(), settings);
  const std::size_t after = thread_count();
  threads_ = 1 + (after > before ? after - before : 0);  // its pool, and the caller's
  memory_info_ = on_gpu_ ? Ort::MemoryInfo("Cuda", OrtDeviceAllocator, device_index(device()), OrtMemTypeDefault)
                         : Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
  declared_ = read_declarations(session_);
}

Error OnnxSession::error_from(const std::exception& e, const std::string& what) const {
  return onnxruntime::error_from(e, what);
}

std::vector<std::int64_t> OnnxSession::shape_of(const DeclaredOutput& out) const {
  return known_shape(out, declared_.inputs, planned());
}

std::uint64_t OnnxSession::output_bytes() const {
  std::uint64_t bytes = 0;
  for (const DeclaredOutput& out : declared_.outputs) bytes += known_bytes(out.type, shape_of(out)).value_or(0);
  return bytes;
}

Ort::Value OnnxSession::tensor(std::span<std::byte> bytes, TensorType type,
                               const std::vector<std::int64_t>& shape) const {
  return Ort::Value::CreateTensor(memory_info_, bytes.data(), bytes.size(), shape.data(), shape.size(), to_onnx(type));
}

SessionBase::SetMemory OnnxSession::bind(std::size_t set) {
  Binding& binding = bindings_.emplace_back();
  binding.tensors = Ort::IoBinding(session_);
  // Without it every run ends with a wait for the whole device.
  if (on_gpu_) binding.options.AddConfigEntry("disable_synchronize_execution_providers", "1");
  // Graphs are told apart by number, and replay reads the addresses that were captured; 0 is reserved.
  if (use_.graph) binding.options.AddConfigEntry("gpu_graph_id", std::to_string(set + 1).c_str());
  SetMemory memory;
  for (const PlannedInput& in : planned()) {
    memory.inputs.push_back(new_input(in, set));
    binding.tensors.BindInput(in.name.c_str(), tensor(memory.inputs.back(), in.type, in.shape));
  }
  for (const DeclaredOutput& out : declared_.outputs) {
    const auto shape = shape_of(out);
    const auto bytes = known_bytes(out.type, shape);
    if (!bytes) {
      binding.tensors.BindOutput(out.name.c_str(), memory_info_);  // the runtime allocates: only it can know the size
      continue;
    }
    memory.outputs.push_back({out.type, new_buffer(*bytes)});
    binding.tensors.BindOutput(out.name.c_str(), tensor(memory.outputs.back().bytes, out.type, shape));
  }
  return memory;
}

void OnnxSession::run(std::size_t set) {
  Binding& binding = bindings_[set];
  session_.Run(binding.options, binding.tensors);
  ran_ = true;
}

// Where only the runtime knows a size, the last request tells it, and where the values are.
void OnnxSession::find_outputs(std::size_t set, Stream& on, std::vector<OutputView>& found) {
  if (memory(set).outputs.size() == declared_.outputs.size()) return SessionBase::find_outputs(set, on, found);
  for (Ort::Value& value : bindings_[set].tensors.GetOutputValues()) {
    if (!value.IsTensor()) continue;  // not before the first request
    const auto info = value.GetTensorTypeAndShapeInfo();
    const auto type = from_onnx(info.GetElementType());
    if (!type) continue;  // strings, say: they never leave the host
    found.push_back(
        {*type, {static_cast<std::byte*>(value.GetTensorMutableRawData()), info.GetElementCount() * size_of(*type)}});
  }
}

// A second session that captures: each set once, on this thread, with nothing else going on.
Replay OnnxSession::replay() {
  constexpr int kRunsToCapture = 3;
  if (!on_gpu_) return {nullptr, "ONNX Runtime replays graphs on a GPU only"};
  if (std::string why_not = why_too_many_graphs(); !why_not.empty()) return {nullptr, std::move(why_not)};
  try {
    auto graph =
        std::make_unique<OnnxSession>(runtime(), env_, options(), device(), SessionUse{.graph = true, .profile = {}});
    for (std::size_t s = 0; s < graph->input_sets(); ++s) {
      for (int i = 0; i < kRunsToCapture; ++i) graph->submit(s);
      graph->stream().synchronize();
    }
    std::string why_not = why_graph_differs([&](std::size_t set) { return graph->outputs_of(set); });
    if (!why_not.empty()) return {nullptr, std::move(why_not)};
    return {std::move(graph), {}};
  } catch (const Error& e) {
    return {nullptr, fmt::format("ONNX Runtime cannot capture it: {}", e.cause())};
  }
}

// The values go to the host first: what the device was filled with is fed through the runtime's own tensors.
std::unique_ptr<Workload> OnnxSession::through_host() {
  if (!on_gpu_) return nullptr;
  std::vector<std::vector<std::vector<std::byte>>> values;
  for (std::size_t s = 0; s < input_sets(); ++s) {
    auto& tensors = values.emplace_back();
    for (const auto& in : memory(s).inputs) tensors.push_back(read_back(stream(), in));
  }
  std::vector<std::string> outputs;
  for (const DeclaredOutput& out : declared_.outputs) outputs.push_back(out.name);
  return guarded("cannot use tensors on the host",
                 [&] { return std::make_unique<HostTensors>(*this, session_, planned(), std::move(values), outputs); });
}

// One run under the profiler in a session of its own: which operators, where, and how much they compute.
std::optional<WorkObservation> OnnxSession::inspect() {
  ModelOptions once = options();
  once.input_sets = 1;
  try {
    const TemporaryFolder folder;  // the session leaves its profile there when a run fails, too
    OnnxSession probe(runtime(), env_, once, device(),
                      SessionUse{.graph = false, .profile = (folder.path() / "profile").string()});
    probe.submit(0);
    probe.stream().synchronize();
    Profile profile = read_profile(probe.end_profile());
    math_ = std::move(profile.math);
    WorkObservation& w = profile.work;
    for (const PlannedInput& p : planned()) *w.least_bytes += static_cast<double>(p.bytes());
    for (const OutputTensor& out : probe.outputs_of(0)) *w.least_bytes += static_cast<double>(out.bytes.size());
    return std::move(w);
  } catch (const std::exception&) {  // no memory for a second session, no place for the file: then it stays unknown
    return std::nullopt;
  }
}

std::string OnnxSession::end_profile() {
  Ort::AllocatorWithDefaultOptions allocator;
  return read_file(session_.EndProfilingAllocated(allocator).get());
}

std::chrono::nanoseconds OnnxSession::profile_begin() const {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(session_.GetProfilingStartTimeNs()));
}

// On a GPU its times are those of handing over, not of the work: a tracer tells that.
Profiling OnnxSession::profile() {
  return {std::make_unique<OnnxProfile>(runtime(), env_, options(), device()), {}};
}

AllocatorReading OnnxSession::allocator() {
  if (recorder_) return {std::nullopt, "it has no arena while allocations are recorded"};
  return arena_of(session_, memory_info_, runtime().version());
}

Allocations OnnxSession::allocations() {
  if (on_gpu_) return {{}, {}, "allocations on a GPU need a tracer of its driver, which Strobe does not have yet"};
  if (!recorder_) return {{}, {}, "nobody asked for them before the load"};
  return {recorder_->events(),
          "an allocator in the place of ONNX Runtime's arena: what the arena rounds up, keeps and "
          "reuses is not in them, nor what the runtime takes from the heap itself",
          {}};
}

void OnnxSession::describe(ModelInfo& info) const {
  // Some shapes only a run can tell; -1 until then.
  const auto values = ran_ ? bindings_[0].tensors.GetOutputValues() : std::vector<Ort::Value>{};
  for (std::size_t i = 0; i < declared_.outputs.size(); ++i) {
    const DeclaredOutput& out = declared_.outputs[i];
    info.outputs.push_back({out.name,
                            std::string(name(out.type)),
                            i < values.size() ? values[i].GetTensorTypeAndShapeInfo().GetShape() : shape_of(out),
                            {}});
  }
  if (const auto n = metadata(session_, "strobe.parameters")) info.parameters = std::strtoull(n->c_str(), nullptr, 10);
  if (!options().optimize) info.facts["optimize"] = false;
  if (on_gpu_) {
    info.facts["provider"] = std::string("CUDA");
    info.facts["tf32"] = has_tf32(device().info()) && tf32_allowed(options());
  }
  if (!math_.empty()) info.facts["math"] = math_;
  if (options().threads || !on_gpu_) {
    info.facts["threads"] = options().threads ? std::int64_t{*options().threads} : static_cast<std::int64_t>(threads_);
  }
}

}  // namespace strobe::onnxruntime
