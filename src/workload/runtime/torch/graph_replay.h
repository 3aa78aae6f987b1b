// SPDX-License-Identifier: Apache-2.0
// A session's requests as CUDA graphs: one for each input set, because a graph has the addresses of its tensors inside.
#pragma once

#include <memory>
#include <vector>

#include "workload/runtime/session_base.h"
#include "workload/runtime/session_form.h"
#include "workload/runtime/torch/cuda_graphs.h"
#include "workload/runtime/torch/model.h"
#include "workload/runtime/torch/on_stream.h"

namespace strobe::torch_plugin {

// What a graph shares with its session, which must outlive it.
struct GraphSource {
  SessionBase& session;
  Model& model;
  c10::Stream torch_stream;
  std::vector<InputSet>& sets;
};

class GraphReplay final : public SessionForm {
 public:
  // Captured after a few requests of each input set, and compared with them; else why not.
  static Replay capture(const GraphSource&);

  void submit(std::size_t request) override;
  std::optional<OutputCheck> check() override;

 private:
  struct Captured {
    InputSet set;  // its results lie in memory that belongs to the graph
    std::unique_ptr<CapturedGraph> graph;
  };
  GraphReplay(const GraphSource&, const CudaGraphs&);
  Outputs outputs_of(std::size_t set);

  GraphSource source_;
  std::vector<Captured> captured_;
};

}  // namespace strobe::torch_plugin
