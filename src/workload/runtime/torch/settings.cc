// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/settings.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <array>

#include <fmt/format.h>

#include <strobe/error.h>

#include "workload/runtime/setting.h"
#include "workload/runtime/tf32.h"

namespace strobe::torch_plugin {
namespace {

struct Key {
  std::string_view name;
  bool cuda_only;
  void (*set)(Flags&, bool);
};
constexpr std::array kKeys{
    Key{"allow_tf32", true, [](Flags& f, bool on) { f.tf32_matmul = f.tf32_cudnn = on; }},
    Key{"cudnn_benchmark", true, [](Flags& f, bool on) { f.cudnn_benchmark = on; }},
    Key{"deterministic", false, [](Flags& f, bool on) { f.deterministic = on; }},
};

const Key& find(const std::string& name) {
  std::vector<std::string> names;
  for (const Key& k : kKeys) {
    if (k.name == name) return k;
    names.emplace_back(k.name);
  }
  throw unknown_setting(name, "torch", names);
}

}  // namespace

Flags current_flags() {
  const at::Context& c = at::globalContext();
  return {c.allowTF32CuBLAS(), c.allowTF32CuDNN(), c.benchmarkCuDNN(), c.deterministicAlgorithms(),
          at::get_num_threads()};
}

Flags flags_for(const ModelOptions& o, Flags usual, bool cuda) {
  if (o.threads) usual.threads = *o.threads;
  for (const auto& [name, value] : o.settings) {
    const Key& key = find(name);
    const bool on = parse_switch(name, value);
    if (key.cuda_only && !cuda)
      throw Error(ErrorCode::usage, fmt::format("cannot use the setting {}", name), "it does nothing on the CPU",
                  "Leave it out.");
    key.set(usual, on);
  }
  return usual;
}

void set_flags(const Flags& f) {
  at::Context& c = at::globalContext();
  c.setAllowTF32CuBLAS(f.tf32_matmul);
  c.setAllowTF32CuDNN(f.tf32_cudnn);
  c.setBenchmarkCuDNN(f.cudnn_benchmark);
  c.setDeterministicAlgorithms(f.deterministic, false);
  c.setDeterministicCuDNN(f.deterministic);
  at::set_num_threads(f.threads);
}

void describe(const Flags& f, const DeviceInfo& device, Scalars& facts) {
  facts["threads"] = static_cast<std::int64_t>(f.threads);
  facts["deterministic"] = f.deterministic;
  if (device.kind != "cuda") return;
  const bool tf32 = has_tf32(device);
  facts["tf32_matmul"] = tf32 && f.tf32_matmul;
  facts["tf32_cudnn"] = tf32 && f.tf32_cudnn;
  facts["cudnn_benchmark"] = f.cudnn_benchmark;
}

}  // namespace strobe::torch_plugin
