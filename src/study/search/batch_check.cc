// SPDX-License-Identifier: Apache-2.0
#include "study/search/batch_check.h"

#include <span>
#include <vector>

#include <fmt/format.h>

#include "record/precision.h"
#include "workload/model_files.h"
#include "workload/tensor/output_check.h"
#include "workload/tensor/tensor_values.h"

namespace strobe {
namespace {

using Tensors = std::vector<std::vector<std::byte>>;

struct Computed {
  Tensors outputs;
  std::vector<TensorInfo> info, inputs;
  bool tf32 = false;
};

Computed compute(OpenOptions o, const ModelInfo& measured, std::int64_t batch) {
  o.batch = batch;
  o.input_sets = 1;  // no other is looked at
  o.repeat_items = true;
  OpenedModel model = open_model(o);
  check_same_files(measured, model.info);
  auto* session = dynamic_cast<Session*>(model.workload.get());
  if (!session) return {};
  Computed c;
  c.outputs = session->outputs(0);
  const ModelInfo info = session->info();
  c.info = info.outputs;
  c.inputs = info.inputs;
  c.tf32 = model.device->info().kind == "cuda" && allows_tf32(info);
  return c;
}

// Other kernels add in another order for another batch: ten times what two runs of the same program may differ by. With
// TF32 the outputs of two batches differed by 0.8 % of their largest value after fifty layers.
double tolerance(TensorType type, bool tf32) {
  return 10 * tolerance_of(type, tf32);
}

// Where an item differs from a smallest batch's by too much: by how much, in a phrase.
std::string why_differ(const TensorInfo& info, std::span<const std::byte> item, std::span<const std::byte> alone,
                       bool tf32) {
  const auto type = parse_tensor_type(info.type);
  if (!type) return {};
  const Difference d = compare(*type, item, alone);
  if (d.finite && d.relative <= tolerance(*type, tf32)) return {};
  return fmt::format("by {:.2g} of its largest value", d.relative);
}

// Whether an item is a stretch of memory: then the first dimension of some input is the batch.
bool items_are_first(const Computed& many, std::int64_t batch, const Computed& few, std::int64_t smallest) {
  for (std::size_t i = 0; i < many.inputs.size() && i < few.inputs.size(); ++i) {
    const auto &large = many.inputs[i].shape, &small = few.inputs[i].shape;
    if (!large.empty() && !small.empty() && large.front() == batch && small.front() == smallest) return true;
  }
  return false;
}

}  // namespace

std::string check_batch(const OpenOptions& o, const ModelInfo& measured, std::int64_t batch, std::int64_t smallest) {
  const Computed many = compute(o, measured, batch);
  if (batch <= smallest) return {};
  const Computed few = compute(o, measured, smallest);
  if (!items_are_first(many, batch, few, smallest)) return {};
  for (std::size_t i = 0; i < many.outputs.size() && i < few.outputs.size() && i < many.info.size(); ++i) {
    const auto& shape = many.info[i].shape;
    const std::size_t item = few.outputs[i].size() / static_cast<std::size_t>(smallest);
    const std::span<const std::byte> alone = std::span(few.outputs[i]).first(item);
    if (shape.empty() || shape.front() != batch || many.outputs[i].size() != item * static_cast<std::size_t>(batch))
      continue;
    const std::span<const std::byte> all = many.outputs[i];
    for (const auto& [part, which] : {std::pair(all.first(item), "first"), std::pair(all.last(item), "last")}) {
      if (const std::string why = why_differ(many.info[i], part, alone, many.tf32); !why.empty())
        return fmt::format("the {} item of output '{}' differs from a batch of {} {}", which, many.info[i].name,
                           smallest, why);
    }
  }
  return {};
}

}  // namespace strobe
