// SPDX-License-Identifier: Apache-2.0
// What a comparison says, in sentences: reports begin with them.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>

namespace strobe {

// One for each candidate, about the metric that leads: "b.onnx takes 2.01× as long as a.onnx [1.99, 2.03]: slower".
std::vector<std::string> comparison_sentences(const Record&);

// What was compared: "a.onnx  batch 1 · 3×224×224 · onnxruntime 1.31.1 · cpu". One line where all candidates are alike
// in this, else one for each.
std::vector<std::string> candidate_lines(const Record&);

// "slower=2%: failed by b.onnx: …".
std::string fail_on_text(const FailOn&);

// "latency", or "latency p99".
std::string compared_title(const Comparison&);

}  // namespace strobe
