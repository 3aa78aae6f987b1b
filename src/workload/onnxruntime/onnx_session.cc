#include "workload/onnxruntime/onnx_session.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "host/facts.h"
#include "host/file.h"
#include "host/thread_count.h"
#include "record/precision.h"
#include "workload/error_words.h"
#include "workload/fill.h"
#include "workload/onnxruntime/element_type.h"
#include "workload/onnxruntime/host_tensors.h"
#include "workload/onnxruntime/profile_probe.h"
#include "workload/operator_work.h"
#include "workload/tf32.h"

namespace strobe::onnxruntime {
namespace {

// Fixed by the shapes of the inputs, or -1: through the names of dynamic dimensions.
std::vector<std::int64_t> known_shape(const DeclaredOutput& out, const std::vector<DeclaredInput>& declared,
                                      const std::vector<PlannedInput>& planned) {
  std::map<std::string, std::int64_t> symbols;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    for (std::size_t d = 0; d < declared[i].symbols.size(); ++d) {
      if (!declared[i].symbols[d].empty()) symbols[declared[i].symbols[d]] = planned[i].shape[d];
    }
  }
  std::vector<std::int64_t> shape = out.dims;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] >= 0 || d >= out.symbols.size()) continue;
    if (const auto s = symbols.find(out.symbols[d]); s != symbols.end()) shape[d] = s->second;
  }
  return shape;
}

bool is_known(const std::vector<std::int64_t>& shape) {
  return std::all_of(shape.begin(), shape.end(), [](std::int64_t d) { return d >= 0; });
}

std::size_t bytes_of(TensorType type, const std::vector<std::int64_t>& shape) {
  std::size_t n = size_of(type);
  for (const std::int64_t d : shape) n *= static_cast<std::size_t>(d);
  return n;
}

// Type, shape and names of dynamic dimensions of one declared tensor; anything but a dense tensor is refused.
template <class Declared>
Declared declaration(const Ort::TypeInfo& info, std::string name, const char* side) {
  Declared d;
  d.name = std::move(name);
  if (info.GetONNXType() != ONNX_TYPE_TENSOR) {
    throw Error(ErrorCode::unsupported, fmt::format("cannot use {} '{}'", side, d.name), "it is not a dense tensor");
  }
  const auto tensor = info.GetTensorTypeAndShapeInfo();
  const auto type = from_onnx(tensor.GetElementType());
  if (!type)
    throw Error(ErrorCode::unsupported, fmt::format("cannot use {} '{}'", side, d.name),
                "its element type is not a number");
  d.type = *type;
  d.dims = tensor.GetShape();
  // By the C function: the C++ one has another form in each version of the header.
  std::vector<const char*> symbols(d.dims.size());
  Ort::ThrowOnError(Ort::GetApi().GetSymbolicDimensions(tensor, symbols.data(), symbols.size()));
  for (const char* symbol : symbols) d.symbols.emplace_back(symbol ? symbol : "");
  return d;
}

int device_index(const Device& device) {
  return static_cast<int>(std::get<std::int64_t>(device.info().facts.at("index")));
}

std::optional<std::string> metadata(const Ort::Session& session, const std::string& key) {
  Ort::AllocatorWithDefaultOptions allocator;
  const auto value = session.GetModelMetadata().LookupCustomMetadataMapAllocated(key.c_str(), allocator);
  if (!value) return std::nullopt;
  return std::string(value.get());
}

// Gives the bytes that move.
std::size_t copy_all(Stream& on, const std::vector<Buffer>& to, const std::vector<Buffer>& from) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    on.copy(to[i].bytes(), from[i].bytes());
    bytes += from[i].bytes().size();
  }
  return bytes;
}

}  // namespace

OnnxSession::OnnxSession(Ort::Env& env, const ModelOptions& options, Device& device, std::string runtime_version,
                         SessionUse use)
    : env_(env),
      options_(options),
      device_(device),
      on_gpu_(device.info().kind == "cuda"),
      use_(std::move(use)),
      stream_(options.stream ? device.adopt(options.stream) : device.stream()),
      runtime_version_(std::move(runtime_version)) {
  const std::string loading = fmt::format("cannot load '{}'", options.path);
  // Its own errors are about what was typed.
  const Ort::SessionOptions settings =
      guarded(loading, [&] { return session_options(options, device, *stream_, use_); });
  guarded(loading, [&] {
    const std::size_t before = thread_count();
    session_ = Ort::Session(env, options.path.c_str(), settings);
    const std::size_t after = thread_count();
    threads_ = 1 + (after > before ? after - before : 0);  // its pool, and the caller's
    memory_ = on_gpu_ ? Ort::MemoryInfo("Cuda", OrtDeviceAllocator, device_index(device), OrtMemTypeDefault)
                      : Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
    read_declarations();
  });
  planned_ = plan_inputs(declared_, options);
  items_ = items_of(planned_);
  const std::size_t count = std::max<std::size_t>(1, options.input_sets);
  check_memory(count);
  sets_.resize(count);
  guarded(fmt::format("cannot prepare the tensors of '{}'", options.path), [&] {
    for (std::size_t i = 0; i < count; ++i) fill(sets_[i], i);
  });
}

// Bindings and outputs that the runtime allocated go before the session; the stream goes last.
OnnxSession::~OnnxSession() {
  try {
    stream_->synchronize();
  } catch (const Error&) {  // the device is lost, and with it everything on it
  }
  sets_.clear();
}

// Of the outputs only those whose shapes the inputs decide can be known before a run.
void OnnxSession::check_memory(std::size_t sets) const {
  std::uint64_t outputs = 0;
  for (const DeclaredOutput& out : declared_outputs_) {
    const auto shape = known_shape(out, declared_, planned_);
    if (is_known(shape)) outputs += sets * bytes_of(out.type, shape);
  }
  const auto memory = device_.memory();
  check_fits(planned_, sets, memory ? memory->free : available_memory(), outputs);
}

void OnnxSession::read_declarations() {
  Ort::AllocatorWithDefaultOptions allocator;
  for (std::size_t i = 0; i < session_.GetInputCount(); ++i) {
    auto in = declaration<DeclaredInput>(session_.GetInputTypeInfo(i),
                                         session_.GetInputNameAllocated(i, allocator).get(), "input");
    if (const auto usual = metadata(session_, "strobe.default_shape." + in.name))
      in.usual = parse_shape(*usual, "the model's default shape");
    declared_.push_back(std::move(in));
  }
  for (std::size_t i = 0; i < session_.GetOutputCount(); ++i) {
    declared_outputs_.push_back(declaration<DeclaredOutput>(
        session_.GetOutputTypeInfo(i), session_.GetOutputNameAllocated(i, allocator).get(), "output"));
  }
}

void OnnxSession::fill(Set& set, std::size_t index) {
  set.binding = Ort::IoBinding(session_);
  // Without it every run ends with a wait for the whole device.
  if (on_gpu_) set.run_options.AddConfigEntry("disable_synchronize_execution_providers", "1");
  // Graphs are told apart by number, and replay reads the addresses that were captured; 0 is reserved.
  if (use_.graph) set.run_options.AddConfigEntry("gpu_graph_id", std::to_string(index + 1).c_str());
  for (const PlannedInput& in : planned_) {
    Buffer& buffer = set.inputs.emplace_back(device_.buffer(in.bytes(), Place::device));
    fill_input(*stream_, in, buffer.bytes(), options_.seed, index, options_.repeat_items ? items_ : 1);
    set.binding.BindInput(in.name.c_str(),
                          Ort::Value::CreateTensor(memory_, buffer.bytes().data(), buffer.bytes().size(),
                                                   in.shape.data(), in.shape.size(), to_onnx(in.type)));
  }
  bind_outputs(set);
}

void OnnxSession::bind_outputs(Set& set) {
  for (const DeclaredOutput& out : declared_outputs_) {
    const auto shape = known_shape(out, declared_, planned_);
    if (!is_known(shape)) {
      set.binding.BindOutput(out.name.c_str(), memory_);  // the runtime allocates: only it can know the size
      continue;
    }
    Buffer& buffer = set.outputs.emplace_back(device_.buffer(bytes_of(out.type, shape), Place::device));
    set.binding.BindOutput(out.name.c_str(),
                           Ort::Value::CreateTensor(memory_, buffer.bytes().data(), buffer.bytes().size(), shape.data(),
                                                    shape.size(), to_onnx(out.type)));
  }
}

void OnnxSession::submit(std::size_t request) {
  Set& set = sets_[request % sets_.size()];
  try {
    session_.Run(set.run_options, set.binding);
    ran_ = true;
  } catch (const Ort::Exception& e) {
    throw seen_through(error_from(e, fmt::format("cannot run '{}'", options_.path)), *stream_);
  }
}

TensorBuffers& OnnxSession::twins_of(Set& set, HostMemory memory) {
  TensorBuffers& twins = set.twins.of(memory);
  if (!twins.inputs.empty() || !twins.outputs.empty()) return twins;
  for (const Buffer& in : set.inputs) {
    twins.inputs.push_back(device_.buffer(in.bytes().size(), place_of(memory)));
    stream_->copy(twins.inputs.back().bytes(), in.bytes());
  }
  for (const Buffer& out : set.outputs) twins.outputs.push_back(device_.buffer(out.bytes().size(), place_of(memory)));
  stream_->synchronize();
  return twins;
}

std::size_t OnnxSession::copy_in(std::size_t request, Stream& on, HostMemory memory) {
  if (!on_gpu_) return 0;
  Set& set = sets_[request % sets_.size()];
  return copy_all(on, set.inputs, twins_of(set, memory).inputs);
}

std::size_t OnnxSession::copy_out(std::size_t request, Stream& on, HostMemory memory) {
  if (!on_gpu_) return 0;
  Set& set = sets_[request % sets_.size()];
  std::vector<Buffer>& hosts = twins_of(set, memory).outputs;
  if (set.outputs.size() == declared_outputs_.size()) return copy_all(on, hosts, set.outputs);
  return guarded("cannot copy the outputs", [&] { return copy_allocated(set, on, hosts, place_of(memory)); });
}

// Where only the runtime knows a size, the last request tells it, and where the values are.
std::size_t OnnxSession::copy_allocated(const Set& set, Stream& on, std::vector<Buffer>& hosts, Place place) {
  const auto values = set.binding.GetOutputValues();
  if (hosts.size() < values.size()) hosts.resize(values.size());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i].IsTensor()) continue;  // not before the first request
    const auto info = values[i].GetTensorTypeAndShapeInfo();
    const auto type = from_onnx(info.GetElementType());
    if (!type) continue;  // strings, say: they never leave the host
    const std::size_t size = info.GetElementCount() * size_of(*type);
    if (hosts[i].bytes().size() < size) hosts[i] = device_.buffer(size, place);
    on.copy(hosts[i].bytes().first(size), {static_cast<const std::byte*>(values[i].GetTensorRawData()), size});
    bytes += size;
  }
  return bytes;
}

// Outputs are overwritten first: a request that writes nothing must not look as if it had.
Outputs OnnxSession::outputs_of(std::size_t index) {
  for (Buffer& out : sets_[index].outputs) {
    const std::vector<std::byte> poison(out.bytes().size(), std::byte{0xff});  // NaN in every float type
    stream_->copy(out.bytes(), poison);
    stream_->synchronize();
  }
  submit(index);
  stream_->synchronize();
  Outputs copies;
  for (const Ort::Value& v : sets_[index].binding.GetOutputValues()) {
    const auto info = v.GetTensorTypeAndShapeInfo();
    const TensorType type = *from_onnx(info.GetElementType());
    const auto* p = static_cast<const std::byte*>(v.GetTensorRawData());
    copies.push_back({type, read_back(*stream_, {p, info.GetElementCount() * size_of(type)})});
  }
  return copies;
}

// A second session that captures: each set once, on this thread, with nothing else going on.
Replay OnnxSession::replay() {
  constexpr int kRunsToCapture = 3;
  if (!on_gpu_) return {nullptr, "ONNX Runtime replays graphs on a GPU only"};
  try {
    auto graph = std::make_unique<OnnxSession>(env_, options_, device_, runtime_version_,
                                               SessionUse{.graph = true, .profile = {}});
    for (std::size_t s = 0; s < graph->sets_.size(); ++s) {
      for (int i = 0; i < kRunsToCapture; ++i) graph->submit(s);
      graph->stream_->synchronize();
    }
    const bool tf32 = allows_tf32(info());
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      if (const std::string why = why_outputs_differ(outputs_of(s), graph->outputs_of(s), tf32); !why.empty())
        return {nullptr, fmt::format("the graph computes something else: {}", why)};
    }
    return {std::move(graph), {}};
  } catch (const Error& e) {
    return {nullptr, fmt::format("ONNX Runtime cannot capture it: {}", e.cause())};
  }
}

// The values go to the host first: what the device was filled with is fed through the runtime's own tensors.
std::unique_ptr<Workload> OnnxSession::through_host() {
  if (!on_gpu_) return nullptr;
  std::vector<std::vector<std::vector<std::byte>>> values;
  for (const Set& set : sets_) {
    auto& tensors = values.emplace_back();
    for (const Buffer& in : set.inputs) tensors.push_back(read_back(*stream_, in.bytes()));
  }
  std::vector<std::string> outputs;
  for (const DeclaredOutput& out : declared_outputs_) outputs.push_back(out.name);
  return guarded("cannot use tensors on the host", [&] {
    return std::make_unique<HostTensors>(session_, *stream_, items_, planned_, std::move(values), outputs);
  });
}

// One run under the profiler in a session of its own: which operators, where, and how much they compute.
std::optional<WorkObservation> OnnxSession::inspect() {
  ModelOptions once = options_;
  once.input_sets = 1;
  try {
    const TemporaryFolder folder;  // the session leaves its profile there when a run fails, too
    OnnxSession probe(env_, once, device_, runtime_version_,
                      SessionUse{.graph = false, .profile = (folder.path() / "profile").string()});
    probe.submit(0);
    probe.stream_->synchronize();
    Ort::AllocatorWithDefaultOptions allocator;
    Profile profile = read_profile(read_file(probe.session_.EndProfilingAllocated(allocator).get()));
    math_ = std::move(profile.math);
    WorkObservation& w = profile.work;
    for (const PlannedInput& p : planned_) *w.least_bytes += static_cast<double>(p.bytes());
    for (const OutputTensor& out : probe.outputs_of(0)) *w.least_bytes += static_cast<double>(out.bytes.size());
    return std::move(w);
  } catch (const std::exception&) {  // no memory for a second session, no place for the file: then it stays unknown
    return std::nullopt;
  }
}

std::optional<OutputCheck> OnnxSession::check() {
  const auto run = [this](std::size_t set) { return outputs_of(set); };
  return check_outputs(planned_, sets_.size(), run, allows_tf32(info()), &first_outputs_);
}

void OnnxSession::check_again(OutputCheck& check) {
  compare_late(first_outputs_, outputs_of(0), allows_tf32(info()), check);
}

// Of floats alone: half of random bools and small integers are zero, and that means nothing.
std::optional<ValueShares> OnnxSession::input_values() const {
  ValueShares shares;
  double all = 0;
  for (std::size_t i = 0; i < planned_.size(); ++i) {
    if (!is_float(planned_[i].type)) continue;
    for (const Set& set : sets_) {
      all += elements(planned_[i].shape);
      // Values made on the device are normal numbers; only given ones can be anything else.
      if (on_gpu_ && !planned_[i].values) continue;
      const SpecialValues found = special_values(
          planned_[i].type, on_gpu_ ? std::as_bytes(std::span(planned_[i].values->data)) : set.inputs[i].bytes());
      shares.zero += static_cast<double>(found.zero);
      shares.subnormal += static_cast<double>(found.subnormal);
      shares.not_finite += static_cast<double>(found.not_finite);
    }
  }
  if (all == 0) return std::nullopt;
  return ValueShares{shares.zero / all, shares.subnormal / all, shares.not_finite / all};
}

ModelInfo OnnxSession::info() const {
  ModelInfo info;
  info.runtime = "onnxruntime";
  info.runtime_version = runtime_version_;
  for (const PlannedInput& in : planned_) {
    info.inputs.push_back(
        {in.name, std::string(name(in.type)), in.shape, in.values ? options_.input_files.at(in.name) : in.source()});
  }
  // Some shapes only a run can tell; -1 until then.
  const auto values = ran_ ? sets_[0].binding.GetOutputValues() : std::vector<Ort::Value>{};
  for (std::size_t i = 0; i < declared_outputs_.size(); ++i) {
    const DeclaredOutput& out = declared_outputs_[i];
    info.outputs.push_back(
        {out.name,
         std::string(name(out.type)),
         i < values.size() ? values[i].GetTensorTypeAndShapeInfo().GetShape() : known_shape(out, declared_, planned_),
         {}});
  }
  if (const auto n = metadata(session_, "strobe.parameters")) info.parameters = std::strtoull(n->c_str(), nullptr, 10);
  if (!options_.optimize) info.facts["optimize"] = false;
  if (on_gpu_)
    info.facts["provider"] = std::string("CUDA"),
    info.facts["tf32"] = has_tf32(device_.info()) && tf32_allowed(options_);
  if (!math_.empty()) info.facts["math"] = math_;
  if (options_.threads || !on_gpu_)
    info.facts["threads"] = options_.threads ? std::int64_t{*options_.threads} : static_cast<std::int64_t>(threads_);
  for (const auto& [key, value] : options_.settings) info.facts["set." + key] = value;
  return info;
}

}  // namespace strobe::onnxruntime
