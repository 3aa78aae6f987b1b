// SPDX-License-Identifier: Apache-2.0
// The layers of a profile as every report shows them: the hottest first, and added up by their type.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <strobe/record.h>

namespace strobe {

inline constexpr std::size_t kShownParts = 10;  // of layers and of kernels, where not all are asked for

std::vector<const LayerResult*> hottest(const Record&);

struct LayerType {
  std::string type;
  std::uint64_t layers = 0;
  double share = 0, time_ns = 0;
};
std::vector<LayerType> layer_types(const Record&);

// "with ONNX Runtime's profiler, …: 620 requests in 6 launches"; says where there is no interval.
std::string slowdown_words(const Record&);

// How the device's work was recorded and how exact that is; empty: nobody did.
std::string trace_words(const Record&);

// What becomes of the request's time: a sentence for the device, one for both sides.
std::vector<std::string> activity_sentences(const Record&);

}  // namespace strobe
