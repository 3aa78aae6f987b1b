#include "workload/onnxruntime/onnx_session.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "host/facts.h"
#include "workload/onnxruntime/element_type.h"
#include "workload/onnxruntime/session_settings.h"

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

std::optional<std::string> metadata(const Ort::Session& session, const std::string& key) {
  Ort::AllocatorWithDefaultOptions allocator;
  const auto value = session.GetModelMetadata().LookupCustomMetadataMapAllocated(key.c_str(), allocator);
  if (!value) return std::nullopt;
  return std::string(value.get());
}

}  // namespace

OnnxSession::OnnxSession(Ort::Env& env, const ModelOptions& options, Device& device, std::string runtime_version)
    : options_(options), device_(device), stream_(device.stream()), runtime_version_(std::move(runtime_version)) {
  const Ort::SessionOptions settings = session_options(options);  // its own errors are about what was typed
  guarded(fmt::format("cannot load '{}'", options.path), [&] {
    session_ = Ort::Session(env, options.path.c_str(), settings);
    memory_ = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
    read_declarations();
  });
  planned_ = plan_inputs(declared_, options);
  items_ = items_of(planned_);
  const std::size_t count = std::max<std::size_t>(1, options.input_sets);
  check_fits(planned_, count, available_memory());
  sets_.resize(count);
  guarded(fmt::format("cannot prepare the tensors of '{}'", options.path), [&] {
    for (std::size_t i = 0; i < count; ++i) fill(sets_[i], i);
  });
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
  Random random(options_.seed + 0x9e3779b97f4a7c15u * (index + 1));
  for (const PlannedInput& in : planned_) {
    Buffer& buffer = set.inputs.emplace_back(device_.buffer(in.bytes(), Place::device));
    if (in.values)
      std::memcpy(buffer.bytes().data(), in.values->data.data(), in.values->data.size());
    else
      fill_random(in.type, buffer.bytes(), random, in.range ? &*in.range : nullptr);
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
    session_.Run(run_options_, set.binding);
    ran_ = true;
  } catch (const Ort::Exception& e) {
    throw error_from(e, fmt::format("cannot run '{}'", options_.path));
  }
}

Outputs OnnxSession::outputs_of(std::size_t index) {
  submit(index);
  Outputs copies;
  for (const Ort::Value& v : sets_[index].binding.GetOutputValues()) {
    const auto info = v.GetTensorTypeAndShapeInfo();
    const TensorType type = *from_onnx(info.GetElementType());
    const auto* p = static_cast<const std::byte*>(v.GetTensorRawData());
    copies.push_back({type, {p, p + info.GetElementCount() * size_of(type)}});
  }
  return copies;
}

std::optional<OutputCheck> OnnxSession::check() {
  return check_outputs(planned_, sets_.size(), [this](std::size_t set) { return outputs_of(set); });
}

// Of floats alone: half of random bools and small integers are zero, and that means nothing.
std::optional<double> OnnxSession::input_zero_share() const {
  double zeros = 0, all = 0;
  for (std::size_t i = 0; i < planned_.size(); ++i) {
    if (!is_float(planned_[i].type)) continue;
    for (const Set& set : sets_) {
      const auto bytes = set.inputs[i].bytes();
      const std::size_t elements = bytes.size() / size_of(planned_[i].type);
      const auto n = static_cast<double>(elements);
      zeros += n * compare(planned_[i].type, bytes, bytes).zero_share, all += n;
    }
  }
  return all > 0 ? std::optional(zeros / all) : std::nullopt;
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
  if (options_.threads) info.facts["threads"] = static_cast<std::int64_t>(*options_.threads);
  for (const auto& [key, value] : options_.settings) info.facts["set." + key] = value;
  return info;
}

}  // namespace strobe::onnxruntime
