// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/openvino/properties.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "base/parse.h"
#include "workload/runtime/setting.h"

namespace strobe::openvino {
namespace {

constexpr std::size_t kMostProperties = 16;

// An OpenVINO file fixes types and layouts; it is always optimised for its device.
void refuse_conversion(const ModelOptions& o) {
  const auto refuse = [&](const char* option, const char* cause, const char* advice) {
    throw Error(ErrorCode::usage, fmt::format("cannot use {} with openvino", o.names.of(option)), cause, advice);
  };
  if (!o.dtype.empty())
    refuse("dtype", "a model's file fixes the types of its tensors",
           "To compute with other numbers: --set INFERENCE_PRECISION_HINT=bf16.");
  if (!o.layout.empty()) refuse("layout", "a model's file fixes the layout of its tensors", "Leave it out.");
  if (!o.optimize) refuse("no-optimize", "a model is always compiled for its device", "Leave it out.");
}

std::vector<std::string> supported(const Target& target) {
  const std::string all = property_of(target, "SUPPORTED_PROPERTIES");
  std::vector<std::string> keys;
  for (const std::string_view key : split(all, ' ')) {
    if (!key.empty()) keys.emplace_back(trim(key));
  }
  return keys;
}

}  // namespace

Properties properties_of(const ModelOptions& o, const Target& target) {
  refuse_conversion(o);
  Properties p{{"PERFORMANCE_HINT", o.at_once ? "THROUGHPUT" : "LATENCY"}};
  if (o.at_once && o.settings.contains("NUM_STREAMS"))
    throw Error(ErrorCode::usage, fmt::format("cannot use {} NUM_STREAMS here", o.names.of("set")),
                fmt::format("{} says how many there are", o.names.of("streams")), "Leave it out.");
  if (o.at_once && o.at_once->streams > 0) p["NUM_STREAMS"] = std::to_string(o.at_once->streams);
  if (o.threads) p["INFERENCE_NUM_THREADS"] = std::to_string(*o.threads);
  const auto known = supported(target);
  for (const auto& [key, value] : o.settings) {
    if (std::find(known.begin(), known.end(), key) == known.end()) throw unknown_setting(key, "openvino", known);
    p[key] = value;
  }
  if (p.size() > kMostProperties)
    throw Error(ErrorCode::usage, "cannot use so many settings",
                fmt::format("openvino takes {} at most", kMostProperties), "Leave some out.");
  return p;
}

std::string property_of(const ov_compiled_model_t* compiled, const std::string& key) {
  char* text = nullptr;
  return api().compiled_model_get_property(compiled, key.c_str(), &text) == OK ? taken(text) : "";
}

std::string property_of(const Target& target, const std::string& key) {
  char* text = nullptr;
  return api().core_get_property(target.core, target.device.c_str(), key.c_str(), &text) == OK ? taken(text) : "";
}

std::size_t number_of(const ov_compiled_model_t* compiled, const std::string& key) {
  const auto n = std::atoll(property_of(compiled, key).c_str());
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

// A variadic call takes as many as are written: what is left of the places repeats the first pair.
Owned<ov_compiled_model_t> compile(const Target& target, const ov_model_t* model, const Properties& properties) {
  std::array<const char*, 2 * kMostProperties> s{};
  std::size_t n = 0;
  for (const auto& [key, value] : properties) {
    s[n++] = key.c_str();
    s[n++] = value.c_str();
  }
  ov_compiled_model_t* compiled = nullptr;
  // What lies behind the first n is not read.
  check(api().core_compile_model(target.core, model, target.device.c_str(), n, &compiled, s[0], s[1], s[2], s[3], s[4],
                                 s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15], s[16], s[17],
                                 s[18], s[19], s[20], s[21], s[22], s[23], s[24], s[25], s[26], s[27], s[28], s[29],
                                 s[30], s[31]));
  return {compiled, api().compiled_model_free};
}

}  // namespace strobe::openvino
