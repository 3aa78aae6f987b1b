// A session's requests as CUDA graphs: one for each input set, because a graph has the addresses of its tensors inside.
#pragma once

#include <memory>

#include "workload/output_check.h"
#include "workload/torch/cuda_graphs.h"
#include "workload/torch/model.h"
#include "workload/torch/on_stream.h"

namespace strobe::torch_plugin {

// What a graph shares with its session, which must outlive it.
struct GraphSource {
  Model& model;
  Stream& stream;
  c10::Stream torch_stream;
  std::vector<InputSet>& sets;
  const std::vector<PlannedInput>& planned;
  std::size_t items = 1;
  bool tf32 = false;
};

class GraphReplay final : public Workload {
 public:
  // Captured after a few requests of each input set, and compared with them; else why not.
  static Replay capture(const GraphSource&);

  void submit(std::size_t request) override;
  Stream& stream() override { return source_.stream; }
  std::size_t items() const override { return source_.items; }
  std::size_t input_sets() const override { return captured_.size(); }
  std::optional<OutputCheck> check() override;

 private:
  struct Captured {
    InputSet set;  // its results lie in memory that belongs to the graph
    std::unique_ptr<CapturedGraph> graph;
  };
  GraphReplay(const GraphSource&, const CudaGraphs&);
  Outputs outputs_of(std::size_t set);
  std::string why_wrong();

  GraphSource source_;
  std::vector<Captured> captured_;
};

}  // namespace strobe::torch_plugin
