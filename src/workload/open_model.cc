// SPDX-License-Identifier: Apache-2.0
#include "workload/open_model.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <strobe/error.h>

#include "base/build_info.h"
#include "device/inline_device.h"
#include "device/open_device.h"
#include "device/simulated/simulated_device.h"
#include "host/nvtx.h"
#include "option/forms.h"
#include "workload/builtin.h"
#include "workload/model_files.h"
#include "workload/model_table.h"
#include "workload/runtime/plugins.h"
#include "workload/simulated_workload.h"
#include "workload/tensor/input_sets.h"
#include "workload/zoo.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

// Null: any will do.
std::shared_ptr<Stream> asked_stream(const OpenOptions& o, Device& device) {
  const auto of_level = [&](const std::string& word) {
    return device.stream_at(word == "fast" ? StreamLevel::fast : StreamLevel::slow);
  };
  if (o.shared_stream) return nullptr;
  if (o.traced && !device.can().gate) return nullptr;  // without one the levels cannot be told apart
  if (o.stream.empty() || o.stream == "any") return o.prefers_stream.empty() ? nullptr : of_level(o.prefers_stream);
  auto stream = of_level(o.stream);
  if (!stream)
    throw Error(ErrorCode::unsupported, fmt::format("cannot use {} {}", o.names.of("stream"), o.stream),
                device.stream_levels().pauses_ns.empty() ? "the streams of this device cannot be told apart"
                : device.stream_levels().border_ns       ? "no more streams of this process are of that level"
                                                         : "the streams of this process are all alike",
                "Leave it out.");
  return stream;
}

void announce(const OpenOptions& o, Device& device) {
  if (o.before_load) o.before_load(device);
}

OpenedModel open_simulated(const OpenOptions& o) {
  if (o.device != "auto")
    throw Error(ErrorCode::usage, fmt::format("cannot run {} on {}", o.model, o.device),
                "a simulated model brings its own device", "Leave --device out.");
  OpenedModel m;
  SimParameters p = parse_sim(std::string_view(o.model).substr(4));
  // Time must pass, or nothing that waits for it ends.
  if (p.kernel_time() == 0ns)
    throw Error(ErrorCode::usage, fmt::format("cannot run {}", o.model), "it has no kernels",
                "Add kernels=20x1us, for example.");
  if (!p.seed) p.seed = o.seed;
  p.launch = o.launch;
  p.load = o.load;
  auto device =
      o.on ? std::dynamic_pointer_cast<SimulatedDevice>(o.on) : std::make_shared<SimulatedDevice>(std::move(p));
  if (o.record_memory) device->simulated_memory().record();
  announce(o, *device);
  m.stream = asked_stream(o, *device);
  const auto pause = m.stream ? device->kernel_pause(*m.stream) : std::nullopt;
  const StreamLevel level = pause ? device->stream_levels().level_of(*pause) : StreamLevel::any;
  const std::size_t sets = count_sets(o.input_sets.value_or(InputSets()), device->parameters().input, *device, o.names);
  m.workload = std::make_unique<SimulatedWorkload>(*device, false, level, sets);
  m.device = std::move(device);
  m.device_name = "simulated";
  return m;
}

void check_file(const std::string& path) {
  std::error_code code;
  if (!fs::exists(path, code)) {
    const std::string what = fmt::format("cannot open '{}'", path);
    if (code) throw Error(ErrorCode::not_found, what, code.message());  // links in a circle, a folder that is closed
    if (fs::is_symlink(path, code))
      throw Error(ErrorCode::not_found, what,
                  fmt::format("it is a link to '{}', which is not there", fs::read_symlink(path, code).string()));
    throw Error(ErrorCode::not_found, what, "there is no such file",
                "A model is a file, zoo:NAME, sim:NAME or work:NAME; 'strobe zoo' lists what comes along.");
  }
  if (fs::is_directory(path, code))
    throw Error(ErrorCode::bad_input, fmt::format("cannot open '{}'", path), "it is a folder",
                "Name the model file in it.");
  if (fs::is_regular_file(path, code) && fs::file_size(path, code) == 0)
    throw Error(ErrorCode::bad_input, fmt::format("cannot open '{}'", path), "the file is empty");
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// A device that only the runtime knows, by the name that it has there.
std::shared_ptr<Device> device_of_runtime(const std::string& asked, Runtime& runtime, std::string& name) {
  name = lower_case(asked);
  std::vector<std::string> names;
  for (const std::string& theirs : runtime.devices()) {
    names.push_back(lower_case(theirs));
    if (names.back() == name) return std::make_shared<InlineDevice>(runtime.name(), theirs);
  }
  if (names.empty()) return open_device(asked);  // which says what there is
  throw Error(ErrorCode::not_found, fmt::format("cannot use the device '{}'", asked.substr(0, 40)),
              fmt::format("{} finds {} here", runtime.name(), fmt::join(names, ", ")), "Take one of these.");
}

// auto: the first GPU where the driver and the runtime both can use it, else the CPU. A device opens before the runtime
// loads anything: how the host waits is decided by whoever is first.
std::shared_ptr<Device> choose_device(const std::string& asked, bool traced, Runtime& runtime, std::string& name) {
  name = asked;
  if (!is_device(asked)) return device_of_runtime(asked, runtime, name);
  if (asked != "auto") return open_device(asked, traced);
  try {
    auto gpu = open_device("cuda:0", traced);
    if (runtime.runs_on(*gpu)) {
      name = "cuda:0";
      return gpu;
    }
  } catch (const Error&) {  // no driver, no GPU: nothing that a user who did not ask for one must hear
  }
  name = "cpu";
  return open_device("cpu");
}

// Only then is what was loaded what the hash is of.
void fingerprint_loaded(const FileStamps& before, const std::string& path, ModelInfo& info) {
  fingerprint(path, info);
  before.check_untouched();
}

ModelOptions load_options(const OpenOptions& o, const std::string& path) {
  ModelOptions m;
  m.path = path;
  m.batch = o.batch;
  for (const auto& [name, text] : o.shape)
    m.shapes.emplace(name, parse_shape(text, fmt::format("{} of '{}'", o.names.of("shape"), name)));
  m.input_files = o.input;
  m.input_ranges = o.input_range;
  m.threads = o.threads;
  m.settings = o.set;
  m.dtype = o.dtype;
  m.layout = o.layout;
  m.optimize = !o.no_optimize;
  m.seed = o.seed;
  m.input_sets = o.input_sets.value_or(InputSets());
  m.input_sets.count = std::max(m.input_sets.count, o.fewest_sets);
  m.stream = o.shared_stream;
  m.at_once = o.at_once;
  m.repeat_items = o.repeat_items;
  m.record_memory = o.record_memory;
  m.log = o.log;
  m.names = o.names;
  return m;
}

OpenedModel open_file(const OpenOptions& o, const std::string& path) {
  check_file(path);
  const FileStamps before(path);
  OpenedModel m;
  m.device_chosen = o.device == "auto";
  nanoseconds begin = SteadyClock().now();
  m.runtime = load_runtime(o.runtime.empty() ? runtime_for(path).name : o.runtime);
  const nanoseconds runtime_time = SteadyClock().now() - begin;
  m.device_name = o.device;
  m.device = o.on ? o.on : choose_device(o.device, o.traced, *m.runtime, m.device_name);
  m.pin = place_for_loading(*m.device, o.pin);
  begin = SteadyClock().now() - runtime_time;  // opening the device is not part of loading the model
  if (const Capability can = m.runtime->runs_on(*m.device); !can) {
    throw Error(ErrorCode::unsupported, fmt::format("cannot run on {}", m.device_name), can.why_not,
                "Use another --device or --runtime.");
  }
  m.options = load_options(o, path);
  m.stream = asked_stream(o, *m.device);
  if (m.stream) m.options.stream = m.stream->native();
  announce(o, *m.device);
  auto session = m.runtime->load(m.options, *m.device);
  m.load_time = SteadyClock().now() - begin;
  fingerprint_loaded(before, path, m.info);
  m.workload = std::move(session);
  return m;
}

OpenedModel open_builtin(const OpenOptions& o) {
  OpenedModel m;
  m.device_chosen = o.device == "auto";
  m.device_name = o.device == "auto" ? "cpu" : o.device;
  m.device = o.on ? o.on : open_device(m.device_name, o.traced);
  m.pin = place_for_loading(*m.device, o.pin);
  m.stream = asked_stream(o, *m.device);
  announce(o, *m.device);
  m.workload =
      make_builtin(std::string_view(o.model).substr(5), *m.device, m.stream ? m.stream->native() : o.shared_stream);
  return m;
}

bool is_built_in(std::string_view model) {
  return model.starts_with("sim:") || model.starts_with("work:");
}

// Simulated work has inputs where its parameters say so.
void refuse_input_sets(const OpenOptions& o) {
  const bool simulated = o.model.starts_with("sim:");
  if (!o.input_sets || (simulated && parse_sim(std::string_view(o.model).substr(4)).input.count > 0)) return;
  throw Error(ErrorCode::usage, fmt::format("cannot use {} with {}", o.names.of("input-sets"), o.model),
              "its work has no inputs", simulated ? "Add cache=40MB,input=600kB,miss=30us to it." : "Leave it out.");
}

// Options that only a model file can take: saying nothing about them would be to ignore them.
void refuse_file_options(const OpenOptions& o) {
  const auto* option = given_option(model_table(), o, [](const OptionTraits& t) { return t.needs_file; });
  if (option)
    throw Error(ErrorCode::usage, fmt::format("cannot use {} with {}", o.names.of(option->name), o.model),
                "it has no model file", "Leave it out.");
}

}  // namespace

ModelInfo OpenedModel::describe() const {
  const auto* session = dynamic_cast<const Session*>(workload.get());
  if (!session) return info;
  ModelInfo all = session->info();
  all.path = info.path;
  all.name = info.name;
  all.sha256 = info.sha256;
  all.files = info.files;
  return all;
}

std::string runtime_of(const OpenOptions& o) {
  if (is_built_in(o.model)) return "strobe";
  if (!o.runtime.empty()) return o.runtime;
  return std::string(runtime_for(o.model.starts_with("zoo:") ? "model.onnx" : o.model).name);
}

RuntimeTraits runtime_traits(const OpenOptions& o) {
  if (is_built_in(o.model)) return {.own_threads = false};
  const std::string name = runtime_of(o);
  for (const RuntimeEntry& entry : known_runtimes()) {
    if (entry.name == name) return entry.traits;
  }
  return {};
}

std::shared_ptr<Device> device_for(const OpenOptions& o, std::string& name) {
  name = o.device == "auto" ? "cpu" : o.device;
  if (o.on) return o.on;
  if (o.model.starts_with("sim:")) return nullptr;
  if (o.model.starts_with("work:")) return open_device(name);
  return choose_device(o.device, o.traced, *load_runtime(runtime_of(o)), name);
}

OpenedModel open_model(const OpenOptions& o) {
  const nvtx::Range range(nvtx::name::kLoad);
  const std::string_view model = o.model;
  OpenedModel m;
  if (is_built_in(model)) {
    refuse_file_options(o);
    refuse_input_sets(o);
    m = model.starts_with("sim:") ? open_simulated(o) : open_builtin(o);
    m.info.runtime = "strobe";
    m.info.runtime_version = kVersion;
  } else if (model.starts_with("zoo:")) {
    m = open_file(o, zoo_path(model.substr(4)).string());
  } else {
    m = open_file(o, o.model);
  }
  m.info.path = o.model;
  m.info.name = model.find(':') == std::string_view::npos ? fs::path(o.model).filename().string() : o.model;
  return m;
}

}  // namespace strobe
