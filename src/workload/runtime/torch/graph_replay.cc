// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/graph_replay.h"

#include <fmt/format.h>

#include "base/build_info.h"
#include "host/library.h"
#include "workload/runtime/torch/beside.h"
#include "workload/runtime/torch/errors.h"
#include "workload/runtime/torch/outputs.h"

namespace strobe::torch_plugin {
namespace {

// Two runs of TorchScript's profiling executor, and one of what it made of them; cuDNN and cuBLAS have their plans and
// work spaces by then, too.
constexpr int kRunsBefore = 3;

const CudaGraphs* open_graphs(std::string& why_not) {
  const Library lib = Library::open(beside("strobe_torch_cuda.so"));
  const auto entry = lib ? lib.function<const CudaGraphs*()>("strobe_torch_cuda") : nullptr;
  if (!entry) {
    why_not = lib ? "strobe_torch_cuda.so is not a part of strobe" : lib.why_not();
    return nullptr;
  }
  const CudaGraphs* graphs = entry();
  if (std::string_view(graphs->build_id) != kBuildId) {
    why_not = "strobe_torch_cuda.so belongs to another build";
    return nullptr;
  }
  return graphs;
}

}  // namespace

GraphReplay::GraphReplay(const GraphSource& source, const CudaGraphs& graphs)
    : SessionForm(source.session), source_(source) {
  const OnStream on(source.torch_stream);
  for (InputSet& set : source.sets) {
    for (int i = 0; i < kRunsBefore; ++i) source.model.run(set);
    stream().synchronize();
    Captured& c = captured_.emplace_back();
    c.set.inputs = set.inputs;
    c.set.arguments = set.arguments;
    c.graph = graphs.capture([&] { source_.model.run(c.set); });
  }
}

Replay GraphReplay::capture(const GraphSource& source) {
  std::string why_not;
  const CudaGraphs* graphs = open_graphs(why_not);
  if (!graphs) return {nullptr, why_not};
  try {
    std::unique_ptr<GraphReplay> replay(new GraphReplay(source, *graphs));
    why_not = source.session.why_graph_differs([&](std::size_t set) { return replay->outputs_of(set); });
    if (why_not.empty()) return {std::move(replay), {}};
  } catch (const Error& e) {
    why_not = fmt::format("torch cannot capture it: {}", e.cause());
  } catch (const std::exception& e) {
    why_not = fmt::format("torch cannot capture it: {}", error_from(e, {}).cause());
  }
  try {
    source.session.stream().synchronize();
  } catch (const Error& e) {
    why_not += fmt::format(" ({})", e.cause());
  }
  return {nullptr, why_not};
}

void GraphReplay::submit(std::size_t request) {
  const OnStream on(source_.torch_stream);
  try {
    captured_[request % captured_.size()].graph->replay();
  } catch (const std::exception& e) {
    throw error_from(e, "cannot replay the graph");
  }
}

Outputs GraphReplay::outputs_of(std::size_t set) {
  const OnStream on(source_.torch_stream);
  submit(set);
  return guarded("cannot read the outputs of the graph",
                 [&] { return to_host(source_.model.outputs(captured_[set].set)); });
}

std::optional<OutputCheck> GraphReplay::check() {
  return source_.session.check_form([this](std::size_t set) { return outputs_of(set); });
}

}  // namespace strobe::torch_plugin
