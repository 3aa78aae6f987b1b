// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/openvino/layers.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace strobe::openvino {
namespace {

constexpr std::string_view kFused = "undef";  // the kernel of a layer that is computed within another
constexpr std::array<std::string_view, 3> kNoWork{"Parameter", "Result", "Constant"};

bool does_work(const Layer& l) {
  return l.kernel != kFused && std::find(kNoWork.begin(), kNoWork.end(), l.type) == kNoWork.end();
}

std::string text_of(const char* text) {
  return text ? text : "";
}

}  // namespace

std::vector<Layer> read_layers(ov_infer_request_t* request) {
  ov_profiling_info_list_t list{};
  check(api().get_profiling_info(request, &list));
  std::vector<Layer> layers;
  for (const ov_profiling_info_t& l : std::span(list.profiling_infos, list.size)) {
    Layer& layer = layers.emplace_back(Layer{.name = text_of(l.node_name),
                                             .type = text_of(l.node_type),
                                             .kernel = text_of(l.exec_type),
                                             .average = std::chrono::microseconds(l.real_time)});
    layer.runs = does_work(layer);
  }
  api().profiling_info_list_free(&list);
  return layers;
}

// Shapes are not told, so no operation is counted.
WorkObservation work_of(std::span<const Layer> layers, bool on_cpu) {
  WorkObservation w;
  for (const Layer& l : layers) {
    if (!l.runs) continue;
    ++w.nodes;
    w.cpu_nodes += on_cpu;
    if (std::find(w.uncounted.begin(), w.uncounted.end(), l.type) == w.uncounted.end()) w.uncounted.push_back(l.type);
  }
  return w;
}

}  // namespace strobe::openvino
