// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/output_check.h"

#include <algorithm>

#include <fmt/format.h>

namespace strobe {
namespace {

// A class number or a decision may well be the same for different inputs; many floats are not.
constexpr std::size_t kTellingBytes = 64;

bool is_telling(const OutputTensor& t) {
  return is_float(t.type) && t.bytes.size() >= kTellingBytes;
}

bool same_shape(const Outputs& a, const Outputs& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const OutputTensor& x, const OutputTensor& y) {
    return x.type == y.type && x.bytes.size() == y.bytes.size();
  });
}

// Adds what two runs of one input show.
void compare_runs(const Outputs& once, const Outputs& again, bool tf32, OutputCheck& result) {
  if (!same_shape(once, again)) {
    result.repeatable = false;
    return;
  }
  for (std::size_t i = 0; i < once.size(); ++i) {
    const Difference d = compare(once[i].type, once[i].bytes, again[i].bytes);
    result.finite = result.finite && d.finite;
    result.worst_difference = std::max(result.worst_difference, d.relative);
    result.repeatable = result.repeatable && d.relative <= tolerance_of(once[i].type, tf32);
  }
}

}  // namespace

std::vector<std::vector<std::byte>> bytes_of(Outputs outputs) {
  std::vector<std::vector<std::byte>> bytes;
  for (OutputTensor& t : outputs) bytes.push_back(std::move(t.bytes));
  return bytes;
}

double tolerance_of(TensorType type, bool tf32) {
  switch (type == TensorType::f32 && tf32 ? TensorType::f16 : type) {
    case TensorType::bf16:
      return 2e-2;  // 8 bits of mantissa: two or three units in the last place
    case TensorType::f16:
      return 2e-3;
    default:
      return 1e-4;
  }
}

OutputCheck check_outputs(const std::vector<PlannedInput>& inputs, std::size_t sets,
                          const std::function<Outputs(std::size_t)>& run, bool tf32, Outputs* kept) {
  OutputCheck result;
  const bool any_random = std::any_of(inputs.begin(), inputs.end(), [](const PlannedInput& in) { return !in.values; });
  bool all_equal = true, telling = false;
  Outputs first;
  sets = std::min(sets, kMostCheckedSets);
  for (std::size_t s = 0; s < sets; ++s) {
    Outputs once = run(s);
    compare_runs(once, run(s), tf32, result);
    telling = telling || std::any_of(once.begin(), once.end(), is_telling);
    if (s == 0)
      first = std::move(once);
    else
      all_equal = all_equal && once == first;
  }
  result.distinct = sets < 2 || !result.finite || !any_random || !telling || !all_equal;
  if (!any_random) result.detail = "every request has the same inputs, from files";
  if (kept) *kept = std::move(first);
  return result;
}

void compare_late(const Outputs& kept, const Outputs& late, bool tf32, OutputCheck& result) {
  result.lasting = same_shape(kept, late);
  result.late_difference = result.lasting ? 0 : 1;
  for (std::size_t i = 0; result.lasting && i < kept.size(); ++i) {
    const Difference d = compare(kept[i].type, kept[i].bytes, late[i].bytes);
    result.late_difference = std::max(result.late_difference, d.relative);
    if (d.relative > tolerance_of(kept[i].type, tf32)) result.lasting = false;
  }
}

std::string why_outputs_differ(const Outputs& a, const Outputs& b, bool tf32) {
  if (!same_shape(a, b)) return "the outputs have other shapes";
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Difference d = compare(a[i].type, a[i].bytes, b[i].bytes);
    if (d.relative > tolerance_of(a[i].type, tf32)) return fmt::format("the outputs differ by {:.2g}", d.relative);
  }
  return {};
}

}  // namespace strobe
