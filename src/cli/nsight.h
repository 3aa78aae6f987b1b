// SPDX-License-Identifier: Apache-2.0
// Command lines of Nsight Systems and Nsight Compute for a few requests of a model, and nothing else in their files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::cli {

struct NsightPlan {
  std::string program;                       // strobe itself
  std::vector<std::string> model;            // as typed: the model, and its options
  std::string name;                          // of the model: the tool's file is called after it
  std::optional<std::size_t> requests = {};  // none: few
  bool accelerators = false;                 // nsys: also of deep-learning accelerators (DLA)
  std::vector<std::string> kernels = {};     // ncu: only these, as a profile names them; empty: all
};

std::vector<std::string> nsys_words(const NsightPlan&);
std::vector<std::string> ncu_words(const NsightPlan&);

// What ncu calls a kernel by default: "gemm" for "void lib::gemm<float, 4>(float const*)", mangled or not.
std::string function_name(const std::string& kernel);

// This process becomes that program. Throws Error (not_found) where it is not on PATH.
[[noreturn]] void become(const std::vector<std::string>& words, std::string_view about);

}  // namespace strobe::cli
