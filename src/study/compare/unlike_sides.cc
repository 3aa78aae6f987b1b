// SPDX-License-Identifier: Apache-2.0
#include "study/compare/unlike_sides.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "record/scalars.h"

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

bool gives_any(const Case& c, std::initializer_list<std::string_view> settings) {
  return std::any_of(settings.begin(), settings.end(), [&](std::string_view s) { return c.settings.contains(s); });
}

// Two files of different types were chosen; products of one type that come out otherwise were not, nor is it where two
// runtimes compute one file with other numbers.
bool precision_was_asked(const Case& a, const Case& b) {
  const auto set = [](const Case& c) {
    return gives_any(c, {"dtype", "set.cuda.use_tf32", "set.allow_tf32", "set.INFERENCE_PRECISION_HINT"});
  };
  const bool one_file = !a.model->sha256.empty() && a.model->sha256 == b.model->sha256;
  return set(a) || set(b) || (!one_file && number_type(*a.model) != number_type(*b.model));
}

bool threads_were_asked(const Case& a, const Case& b) {
  const auto set = [](const Case& c) { return gives_any(c, {"threads", "set.intra_op_num_threads"}); };
  return set(a) || set(b);
}

struct LikenessRow {
  std::string_view id, what;
  std::string (*value)(const Case&);  // empty: not known
  bool (*asked)(const Case& a, const Case& b);
  std::string_view advice;
};

constexpr std::array kLikenesses{
    LikenessRow{"precision-differs", "computes in", precision_of_side, precision_was_asked,
                "Give both the same: --set cuda.use_tf32=0 (onnxruntime), --set allow_tf32=0 or 1 (torch), --set "
                "INFERENCE_PRECISION_HINT=f32 (openvino), --dtype."},
    LikenessRow{"threads-differ", "runs on threads:", threads_of_side, threads_were_asked,
                "Give both the same number (--threads N)."},
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
                          .advice = asked ? "" : std::string(row.advice)});
    }
  }
  return findings;
}

}  // namespace strobe
