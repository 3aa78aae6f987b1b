#include "workload/onnxruntime/session_settings.h"

#include <array>

#include <fmt/format.h>

namespace strobe::onnxruntime {
namespace {

using Setter = void (*)(Ort::SessionOptions&, const std::string& key, const std::string& value);
struct Key {
  std::string_view name;
  Setter set;
};

bool parse_switch(const std::string& value, const std::string& key) {
  if (value == "1" || value == "on" || value == "true") return true;
  if (value == "0" || value == "off" || value == "false") return false;
  throw Error(ErrorCode::usage, fmt::format("cannot read --set {}={}", key, value), "it is neither on nor off");
}

template <class Enum, std::size_t N>
Enum choose(const std::array<std::pair<std::string_view, Enum>, N>& choices, const std::string& key,
            const std::string& value) {
  std::string all;
  for (const auto& [name, x] : choices) {
    if (name == value) return x;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
  }
  throw Error(ErrorCode::usage, fmt::format("cannot read --set {}={}", key, value),
              fmt::format("it is none of {}", all));
}

int whole(const std::string& key, const std::string& value) {
  const auto n = parse_integer(value, key);
  if (n < 0 || n > 1024)
    throw Error(ErrorCode::usage, fmt::format("cannot read --set {}={}", key, value), "it must lie between 0 and 1024");
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
          parse_switch(v, k) ? o.EnableMemPattern() : o.DisableMemPattern();
        }},
    Key{"enable_cpu_mem_arena",
        [](Ort::SessionOptions& o, const std::string& k, const std::string& v) {
          parse_switch(v, k) ? o.EnableCpuMemArena() : o.DisableCpuMemArena();
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

void apply(Ort::SessionOptions& options, const std::string& key, const std::string& value) {
  std::vector<std::string> names;
  for (const Key& k : kKeys) {
    if (k.name == key) return k.set(options, key, value);
    names.emplace_back(k.name);
  }
  throw Error(ErrorCode::usage, fmt::format("unknown setting '--set {}' for onnxruntime", key), {},
              fmt::format("It knows {}.{}", fmt::join(names, ", "), did_you_mean(key, names)));
}

// An ONNX file fixes its types, and the library its layouts.
void refuse_conversion(const ModelOptions& o) {
  if (o.dtype.empty() && o.layout.empty()) return;
  const bool dtype = !o.dtype.empty();
  throw Error(ErrorCode::usage, fmt::format("cannot use {} with onnxruntime", dtype ? "--dtype" : "--layout"),
              fmt::format("an ONNX file fixes the {} of its tensors", dtype ? "types" : "layout"),
              dtype ? "Convert the file, or leave it out." : "Leave it out.");
}

}  // namespace

Ort::SessionOptions session_options(const ModelOptions& o) {
  refuse_conversion(o);
  Ort::SessionOptions options;
  options.SetGraphOptimizationLevel(o.optimize ? ORT_ENABLE_ALL : ORT_DISABLE_ALL);
  if (o.threads) options.SetIntraOpNumThreads(*o.threads);
  for (const auto& [key, value] : o.settings) apply(options, key, value);
  return options;
}

}  // namespace strobe::onnxruntime
