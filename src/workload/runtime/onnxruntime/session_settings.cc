// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/onnxruntime/session_settings.h"

#include <array>

#include <fmt/format.h>

#include "workload/runtime/setting.h"

namespace strobe::onnxruntime {
namespace {

using Setter = void (*)(Ort::SessionOptions&, const std::string& key, const std::string& value);
struct Key {
  std::string_view name;
  Setter set;
};

template <class Enum, std::size_t N>
Enum choose(const std::array<std::pair<std::string_view, Enum>, N>& choices, const std::string& key,
            const std::string& value) {
  std::string all;
  for (const auto& [name, x] : choices) {
    if (name == value) return x;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
  }
  throw Error(ErrorCode::usage, fmt::format("cannot read the setting {}={}", key, value),
              fmt::format("it is none of {}", all));
}

int whole(const std::string& key, const std::string& value) {
  const auto n = parse_integer(value, key);
  if (n < 0 || n > 1024)
    throw Error(ErrorCode::usage, fmt::format("cannot read the setting {}={}", key, value),
                "it must be between 0 and 1024");
  return static_cast<int>(n);
}

void entry(Ort::SessionOptions& o, const std::string& key, const std::string& value) {
  o.AddConfigEntry(key.c_str(), value.c_str());
}

constexpr std::array<std::pair<std::string_view, GraphOptimizationLevel>, 4> kLevels{{{"disabled", ORT_DISABLE_ALL},
                                                                                      {"basic", ORT_ENABLE_BASIC},
                                                                                      {"extended", ORT_ENABLE_EXTENDED},
                                                                                      {"all", ORT_ENABLE_ALL}}};
constexpr std::array<std::pair<std::string_view, ExecutionMode>, 2> kModes{
    {{"sequential", ORT_SEQUENTIAL}, {"parallel", ORT_PARALLEL}}};

const std::array kKeys{
    Key{"intra_op_num_threads", [](Ort::SessionOptions& o, const std::string& k,
                                   const std::string& v) { o.SetIntraOpNumThreads(whole(k, v)); }},
    Key{"inter_op_num_threads", [](Ort::SessionOptions& o, const std::string& k,
                                   const std::string& v) { o.SetInterOpNumThreads(whole(k, v)); }},
    Key{"graph_optimization_level", [](Ort::SessionOptions& o, const std::string& k,
                                       const std::string& v) { o.SetGraphOptimizationLevel(choose(kLevels, k, v)); }},
    Key{"execution_mode", [](Ort::SessionOptions& o, const std::string& k,
                             const std::string& v) { o.SetExecutionMode(choose(kModes, k, v)); }},
    Key{"enable_mem_pattern",
        [](Ort::SessionOptions& o, const std::string& k, const std::string& v) {
          parse_switch(k, v) ? o.EnableMemPattern() : o.DisableMemPattern();
        }},
    Key{"enable_cpu_mem_arena",
        [](Ort::SessionOptions& o, const std::string& k, const std::string& v) {
          parse_switch(k, v) ? o.EnableCpuMemArena() : o.DisableCpuMemArena();
        }},
    // Entries of the library's own configuration table that bear on a measurement.
    Key{"session.disable_prepacking", entry},
    Key{"session.use_env_allocators", entry},
    Key{"session.set_denormal_as_zero", entry},
    Key{"session.disable_quant_qdq", entry},
    Key{"session.disable_double_qdq_remover", entry},
    Key{"session.enable_quant_qdq_cleanup", entry},
    Key{"session.disable_aot_function_inlining", entry},
    Key{"session.use_device_allocator_for_initializers", entry},
    Key{"session.inter_op.allow_spinning", entry},
    Key{"session.intra_op.allow_spinning", entry},
    Key{"session.intra_op_thread_affinities", entry},
    Key{"session.dynamic_block_base", entry},
    Key{"session.force_spinning_stop", entry},
    Key{"session.qdqisint8allowed", entry},
    Key{"session.x64quantprecision", entry},
    Key{"session.strict_shape_type_inference", entry},
    Key{"session.disable_cpu_ep_fallback", entry},
    Key{"session.qdq_matmulnbits_accuracy_level", entry},
    Key{"optimization.enable_gelu_approximation", entry},
    Key{"optimization.disable_specified_optimizers", entry},
    Key{"mlas.enable_gemm_fastmath_arm64_bfloat16", entry},
};

// Options of the CUDA provider that a user may set, as --set cuda.NAME=VALUE. Device, stream and graph are ours.
constexpr std::array kCudaKeys{std::string_view("use_tf32"),
                               std::string_view("cudnn_conv_algo_search"),
                               std::string_view("cudnn_conv_use_max_workspace"),
                               std::string_view("cudnn_conv1d_pad_to_nc1d"),
                               std::string_view("arena_extend_strategy"),
                               std::string_view("gpu_mem_limit"),
                               std::string_view("do_copy_in_default_stream"),
                               std::string_view("prefer_nhwc"),
                               std::string_view("fuse_conv_bias"),
                               std::string_view("enable_skip_layer_norm_strict_mode"),
                               std::string_view("use_ep_level_unified_stream"),
                               std::string_view("sdpa_kernel"),
                               std::string_view("tunable_op_enable"),
                               std::string_view("tunable_op_tuning_enable")};
constexpr std::string_view kCudaPrefix = "cuda.";

struct CudaOptions {
  OrtCUDAProviderOptionsV2* options = nullptr;
  CudaOptions() { Ort::ThrowOnError(Ort::GetApi().CreateCUDAProviderOptions(&options)); }
  ~CudaOptions() { Ort::GetApi().ReleaseCUDAProviderOptions(options); }
  CudaOptions(const CudaOptions&) = delete;
  CudaOptions& operator=(const CudaOptions&) = delete;

  void set(const std::string& key, const std::string& value) {
    const char *k = key.c_str(), *v = value.c_str();
    Ort::ThrowOnError(Ort::GetApi().UpdateCUDAProviderOptions(options, &k, &v, 1));
  }
};

void add_cuda(Ort::SessionOptions& session, const ModelOptions& o, const Device& device, Stream& stream, bool graph) {
  CudaOptions cuda;
  cuda.set("device_id", std::to_string(std::get<std::int64_t>(device.info().facts.at("index"))));
  for (const auto& [key, value] : o.settings) {
    if (!key.starts_with(kCudaPrefix)) continue;
    try {
      cuda.set(key.substr(kCudaPrefix.size()), value);
    } catch (const Ort::Exception& e) {
      throw Error(ErrorCode::usage, fmt::format("cannot use the setting {}={}", key, value), e.what());
    }
  }
  if (graph) cuda.set("enable_cuda_graph", "1");
  Ort::ThrowOnError(
      Ort::GetApi().UpdateCUDAProviderOptionsWithValue(cuda.options, "user_compute_stream", stream.native()));
  session.AppendExecutionProvider_CUDA_V2(*cuda.options);
}

// A key of the provider's: known, and there is a provider.
bool check_cuda_key(const std::string& key, bool on_gpu) {
  if (!key.starts_with(kCudaPrefix)) return false;
  if (!on_gpu)
    throw Error(ErrorCode::usage, fmt::format("cannot use the setting {}", key), "the model does not run on a GPU",
                "Leave it out, or add --device cuda.");
  std::vector<std::string> names;
  for (const std::string_view name : kCudaKeys) {
    if (key.substr(kCudaPrefix.size()) == name) return true;
    names.push_back(std::string(kCudaPrefix) + std::string(name));
  }
  throw unknown_setting(key, "onnxruntime's CUDA provider", names);
}

void apply(Ort::SessionOptions& options, const std::string& key, const std::string& value) {
  std::vector<std::string> names;
  for (const Key& k : kKeys) {
    if (k.name == key) return k.set(options, key, value);
    names.emplace_back(k.name);
  }
  throw unknown_setting(key, "onnxruntime", names);
}

// An ONNX file fixes its types, and the library its layouts.
void refuse_conversion(const ModelOptions& o) {
  if (o.dtype.empty() && o.layout.empty()) return;
  const bool dtype = !o.dtype.empty();
  throw Error(ErrorCode::usage, fmt::format("cannot use {} with onnxruntime", o.names.of(dtype ? "dtype" : "layout")),
              fmt::format("an ONNX file fixes the {} of its tensors", dtype ? "types" : "layout"),
              dtype ? "Convert the file, or leave it out." : "Leave it out.");
}

}  // namespace

Ort::SessionOptions session_options(const ModelOptions& o, const Device& device, Stream& stream,
                                    const SessionUse& use) {
  const bool on_gpu = device.info().kind == "cuda";
  refuse_conversion(o);
  Ort::SessionOptions options;
  options.SetGraphOptimizationLevel(o.optimize ? ORT_ENABLE_ALL : ORT_DISABLE_ALL);
  if (o.threads) options.SetIntraOpNumThreads(*o.threads);
  for (const auto& [key, value] : o.settings) {
    if (!check_cuda_key(key, on_gpu)) apply(options, key, value);
  }
  if (on_gpu) add_cuda(options, o, device, stream, use.graph);
  if (!use.profile.empty()) options.EnableProfiling(use.profile.c_str());
  return options;
}

// The provider's default is on.
bool tf32_allowed(const ModelOptions& o) {
  const auto set = o.settings.find("cuda.use_tf32");
  return set == o.settings.end() || (set->second != "0" && set->second != "false" && set->second != "False");
}

}  // namespace strobe::onnxruntime
