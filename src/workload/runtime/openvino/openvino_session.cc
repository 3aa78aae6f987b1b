// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/openvino/openvino_session.h"

#include <algorithm>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "workload/runtime/onnx_files.h"
#include "workload/runtime/openvino/element_type.h"
#include "workload/runtime/openvino/openvino_profile.h"

namespace strobe::openvino {
namespace {

// The session has a check of its own.
void must(ov_status_e status) {
  check(status);
}

// Rank and dimensions as the library takes them.
class StaticShape {
 public:
  explicit StaticShape(const std::vector<std::int64_t>& dims) {
    check(api().shape_create(static_cast<std::int64_t>(dims.size()), dims.data(), &shape_));
  }
  ~StaticShape() { api().shape_free(&shape_); }
  StaticShape(const StaticShape&) = delete;
  StaticShape& operator=(const StaticShape&) = delete;
  const ov_shape_t& get() const { return shape_; }

 private:
  ov_shape_t shape_{};
};

Owned<ov_tensor_t> tensor(std::span<std::byte> bytes, TensorType type, const std::vector<std::int64_t>& dims) {
  const StaticShape shape(dims);
  ov_tensor_t* made = nullptr;
  check(api().tensor_create(to_openvino(type), shape.get(), bytes.data(), &made));
  return {made, api().tensor_free};
}

bool is_known(const std::vector<std::int64_t>& dims) {
  return std::all_of(dims.begin(), dims.end(), [](std::int64_t d) { return d >= 0; });
}

std::size_t bytes_of(TensorType type, const std::vector<std::int64_t>& dims) {
  std::size_t bytes = size_of(type);
  for (const std::int64_t d : dims) bytes *= static_cast<std::size_t>(d);
  return bytes;
}

// "f32", "bf16": as ONNX Runtime calls them, so that both can be compared.
std::string math_of(const std::string& hint) {
  return hint == "f32" ? "float" : hint == "bf16" ? "bfloat16" : hint == "f16" ? "float16" : hint;
}

// Given anything else the library tries all of its readers, which complain on standard error.
void refuse_other_text(const std::string& path) {
  if (!path.ends_with(".xml")) return;
  std::ifstream in(path);
  char first = 0;
  if (in >> first && first != '<')
    throw Error(ErrorCode::bad_input, fmt::format("cannot load '{}'", path), "it is no XML",
                "Is it a Git LFS pointer? Fetch the real file and try again.");
}

}  // namespace

OpenVinoSession::OpenVinoSession(const Runtime& runtime, Target target, const ModelOptions& model, Device& where)
    : SessionBase(runtime, model, where),
      target_(std::move(target)),
      model_(nullptr, api().model_free),
      compiled_(nullptr, api().compiled_model_free) {
  guarded(fmt::format("cannot load '{}'", model.path), [&] { load(); });
  prepare(inputs_);
  if (model.at_once)
    guarded(fmt::format("cannot prepare the requests of '{}'", model.path), [&] { make_at_once(*model.at_once); });
}

void OpenVinoSession::load() {
  const Properties checked = properties_of(options(), target_);  // before the model is read
  refuse_other_text(options().path);
  ov_model_t* model = nullptr;
  must(api().core_read_model(target_.core, options().path.c_str(), nullptr, &model));
  model_.reset(model);
  inputs_ = read_inputs(model);
  const auto metadata = onnx_metadata(options().path);
  for (DeclaredInput& in : inputs_) {
    if (const auto usual = metadata.find("strobe.default_shape." + in.name); usual != metadata.end())
      in.usual = parse_shape(usual->second, "the model's default shape");
  }
}

// With shapes that are fixed the library plans its memory once.
void OpenVinoSession::compile() {
  std::vector<const char*> names;
  std::vector<ov_partial_shape_t> shapes;
  for (std::size_t i = 0; i < planned().size(); ++i) {
    if (planned()[i].shape == inputs_[i].dims) continue;
    names.push_back(inputs_[i].name.c_str());
    const auto& dims = planned()[i].shape;
    must(
        api().partial_shape_create_static(static_cast<std::int64_t>(dims.size()), dims.data(), &shapes.emplace_back()));
  }
  const ov_status_e reshaped =
      names.empty() ? OK : api().model_reshape(model_.get(), names.data(), shapes.data(), names.size());
  for (ov_partial_shape_t& s : shapes) api().partial_shape_free(&s);
  must(reshaped);
  compiled_ = openvino::compile(target_, model_.get(), properties_of(options(), target_));
  outputs_ = openvino::read_outputs(compiled_.get());
}

std::unique_ptr<OpenVinoSession> OpenVinoSession::under_profiler() const {
  ModelOptions profiled = options();
  profiled.at_once.reset();
  profiled.settings["PERF_COUNT"] = "YES";
  return std::make_unique<OpenVinoSession>(runtime(), target_, profiled, device());
}

std::vector<Layer> OpenVinoSession::layers() {
  return guarded("cannot read OpenVINO's profile", [&] { return read_layers(requests_[0].get()); });
}

Profiling OpenVinoSession::profile() {
  if (!on_cpu()) return {nullptr, fmt::format("what OpenVINO's profiler tells of {} is not known", target_.device)};
  return {std::make_unique<OpenVinoProfile>(under_profiler()), {}};
}

std::optional<WorkObservation> OpenVinoSession::inspect() {
  try {
    const auto probe = under_profiler();
    probe->submit(0);
    return work_of(probe->layers(), on_cpu());
  } catch (const Error&) {  // no memory for a second session: then it stays unknown
    return std::nullopt;
  }
}

Error OpenVinoSession::error_from(const std::exception& e, const std::string& what) const {
  return openvino::error_from(e, what);
}

SessionBase::SetMemory OpenVinoSession::bind(std::size_t set) {
  if (!compiled_) compile();
  return new_request(set);
}

SessionBase::SetMemory OpenVinoSession::new_request(std::size_t number) {
  ov_infer_request_t* made = nullptr;
  must(api().create_infer_request(compiled_.get(), &made));
  ov_infer_request_t* request = requests_.emplace_back(made, api().infer_request_free).get();
  SetMemory memory;
  for (std::size_t i = 0; i < planned().size(); ++i) {
    const PlannedInput& in = planned()[i];
    memory.inputs.push_back(new_input(in, number));
    must(api().set_input_tensor(request, i, tensor(memory.inputs.back(), in.type, in.shape).get()));
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const DeclaredOutput& out = outputs_[i];
    if (!is_known(out.dims)) continue;  // the library allocates: only it can know the size
    memory.outputs.push_back({out.type, new_buffer(bytes_of(out.type, out.dims))});
    must(api().set_output_tensor(request, i, tensor(memory.outputs.back().bytes, out.type, out.dims).get()));
  }
  return memory;
}

// As many as OpenVINO thinks best where nobody has said how many: each with tensors of its own, because it writes there
// while others read.
void OpenVinoSession::make_at_once(const AtOnce& asked) {
  const std::size_t streams = std::max<std::size_t>(1, number_of(compiled_.get(), "NUM_STREAMS"));
  const std::size_t best = number_of(compiled_.get(), "OPTIMAL_NUMBER_OF_INFER_REQUESTS");
  const std::size_t in_flight =
      asked.in_flight ? asked.in_flight : std::max<std::size_t>(1, (best + streams - 1) / streams);
  while (requests_.size() < streams * in_flight) {
    for (const OutputView& out : new_request(requests_.size()).outputs)
      std::memset(out.bytes.data(), 0, out.bytes.size());  // its first request must not wait for pages
  }
  at_once_ = std::make_unique<AsyncRequests>(device().clock(), streams, streams * in_flight, requests_,
                                             fmt::format("cannot run '{}'", options().path));
}

void OpenVinoSession::run(std::size_t set) {
  if (!at_once_) return must(api().infer(requests_[set].get()));
  at_once_->overlapping().start(set);  // nothing else is out when this is asked for, so it is at its own place
  at_once_->overlapping().next_end();
}

void OpenVinoSession::find_outputs(std::size_t set, Stream& on, std::vector<OutputView>& found) {
  if (memory(set).outputs.size() == outputs_.size()) return SessionBase::find_outputs(set, on, found);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    ov_tensor_t* raw = nullptr;
    must(api().get_output_tensor(requests_[set].get(), i, &raw));
    const Owned<ov_tensor_t> value(raw, api().tensor_free);  // another reference to the request's own
    void* data = nullptr;
    std::size_t bytes = 0;
    must(api().tensor_data(raw, &data));
    must(api().tensor_get_byte_size(raw, &bytes));
    found.push_back({outputs_[i].type, {static_cast<std::byte*>(data), bytes}});
  }
}

void OpenVinoSession::describe(ModelInfo& info) const {
  for (const DeclaredOutput& out : outputs_)
    info.outputs.push_back({out.name, std::string(name(out.type)), out.dims, {}});
  const auto add_number = [&](const char* fact, const char* key) {
    if (const auto n = number_of(compiled_.get(), key); n > 0) info.facts[fact] = static_cast<std::int64_t>(n);
  };
  add_number("threads", "INFERENCE_NUM_THREADS");
  add_number("streams", "NUM_STREAMS");
  info.facts["asynchronous"] = at_once_ != nullptr;
  if (at_once_) info.facts["requests"] = static_cast<std::int64_t>(at_once_->overlapping().outstanding());
  if (const std::string hint = property_of(compiled_.get(), "PERFORMANCE_HINT"); !hint.empty())
    info.facts["performance_hint"] = hint;
  if (const std::string hint = property_of(compiled_.get(), "INFERENCE_PRECISION_HINT"); !hint.empty())
    info.facts["math"] = math_of(hint);
  if (const std::string devices = property_of(compiled_.get(), "EXECUTION_DEVICES"); !devices.empty())
    info.facts["execution_devices"] = devices;
  if (!on_cpu()) {
    if (const std::string device = property_of(target_, "FULL_DEVICE_NAME"); !device.empty())
      info.facts["device_name"] = device;
  }
  const auto metadata = onnx_metadata(options().path);
  if (const auto n = metadata.find("strobe.parameters"); n != metadata.end())
    info.parameters = std::strtoull(n->second.c_str(), nullptr, 10);
}

}  // namespace strobe::openvino
