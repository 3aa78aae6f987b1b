// SPDX-License-Identifier: Apache-2.0
#include "study/compare/unlike_sides.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "record/scalars.h"
#include "workload/runtime/plugins.h"

namespace strobe {
namespace {

bool is_true(const ModelInfo& m, std::string_view fact_name) {
  return fact<bool>(m.facts, std::string(fact_name)).value_or(false);
}

// How products of f32 are computed; runtimes that tell the two kinds apart have a fact for each.
std::string f32_products(const ModelInfo& m) {
  const bool all = is_true(m, "tf32"), convolutions = all || is_true(m, "tf32_cudnn"),
             matrices = all || is_true(m, "tf32_matmul");
  if (convolutions && matrices) return "f32 as TF32";
  if (convolutions) return "f32, in convolutions as TF32";
  return matrices ? "f32, in matrix products as TF32" : "f32";
}

// The type that a model computes in, as far as its runtime tells; empty where nothing does.
std::string number_type(const ModelInfo& m) {
  if (const auto dtype = fact<std::string>(m.facts, "dtype")) return *dtype == "fp16" ? "f16" : *dtype;
  if (const auto weights = fact<std::string>(m.facts, "weights")) return *weights;
  auto math = fact<std::string>(m.facts, "math").value_or("");
  if (math == "float16" || math == "bfloat16") return math == "float16" ? "f16" : "bf16";
  if (math.find("int") != std::string::npos) return math;
  const auto is_float = [](const TensorInfo& t) { return t.type.starts_with("f") || t.type == "bf16"; };
  const auto it = std::find_if(m.inputs.begin(), m.inputs.end(), is_float);
  return it != m.inputs.end() ? it->type : math.empty() ? "" : "f32";
}

std::string precision_of_side(const Case& c) {
  const std::string type = number_type(*c.model);
  const bool tf32_matters = c.device && c.device->kind == "cuda" && type == "f32";
  return tf32_matters ? f32_products(*c.model) : type;
}

std::string threads_of_side(const Case& c) {
  const auto n = fact<std::int64_t>(c.model->facts, "threads");
  const bool on_cpu = c.device && c.device->kind == "cpu";
  return n && on_cpu ? std::to_string(*n) : "";
}

// What a runtime calls the same thing among the keys of --set; empty: it has none.
using KeyOf = std::string_view (*)(const RuntimeTraits&);

std::string_view precision_key(const RuntimeTraits& t) {
  return t.precision ? t.precision->key : "";
}

std::string_view threads_key(const RuntimeTraits& t) {
  return t.threads_setting;
}

// By the option, or as the runtime of the side calls it.
bool gives(const Case& c, std::string_view option, KeyOf key_of) {
  const auto runtimes = known_runtimes();
  const auto as_runtime_calls_it = [&](const RuntimeEntry& r) {
    const std::string_view key = key_of(r.traits);
    return !key.empty() && c.settings.contains(fmt::format("set.{}", key));
  };
  return c.settings.contains(option) || std::any_of(runtimes.begin(), runtimes.end(), as_runtime_calls_it);
}

// Two files of different types were chosen; products of one type that come out otherwise were not, nor is it where two
// runtimes compute one file with other numbers.
bool precision_was_asked(const Case& a, const Case& b) {
  const auto set = [](const Case& c) { return gives(c, "dtype", precision_key); };
  const bool one_file = !a.model->sha256.empty() && a.model->sha256 == b.model->sha256;
  return set(a) || set(b) || (!one_file && number_type(*a.model) != number_type(*b.model));
}

bool threads_were_asked(const Case& a, const Case& b) {
  const auto set = [](const Case& c) { return gives(c, "threads", threads_key); };
  return set(a) || set(b);
}

std::string precision_advice() {
  std::string settings;
  for (const RuntimeEntry& r : known_runtimes()) {
    if (const auto& p = r.traits.precision) settings += fmt::format("--set {}={} ({}), ", p->key, p->value, r.name);
  }
  return fmt::format("Give both the same: {}--dtype.", settings);
}

std::string threads_advice() {
  return "Give both the same number (--threads N).";
}

struct LikenessRow {
  std::string_view id, what;
  std::string (*value)(const Case&);  // empty: not known
  bool (*asked)(const Case& a, const Case& b);
  std::string (*advice)();
};

constexpr std::array kLikenesses{
    LikenessRow{"precision-differs", "computes in", precision_of_side, precision_was_asked, precision_advice},
    LikenessRow{"threads-differ", "runs on threads:", threads_of_side, threads_were_asked, threads_advice},
};

}  // namespace

std::vector<Finding> unlike_sides(const std::vector<Case>& cases) {
  std::vector<Finding> findings;
  if (cases.empty()) return findings;
  const Case& first = cases.front();
  for (const LikenessRow& row : kLikenesses) {
    for (const Case& c : cases) {
      if (!first.model || !c.model) continue;
      const std::string a = row.value(first), b = row.value(c);
      if (a.empty() || b.empty() || a == b) continue;
      const bool asked = row.asked(first, c);
      findings.push_back({.id = std::string(row.id),
                          .severity = asked ? Severity::note : Severity::warning,
                          .message = fmt::format("{} {} {}, {} {} {}", first.name, row.what, a, c.name, row.what, b),
                          .advice = asked ? "" : row.advice()});
    }
  }
  return findings;
}

}  // namespace strobe
