#include "study/batch_check.h"

#include <span>
#include <vector>

#include <fmt/format.h>

#include "workload/output_check.h"
#include "workload/tensor_values.h"

namespace strobe {
namespace {

using Tensors = std::vector<std::vector<std::byte>>;

struct Computed {
  Tensors outputs;
  std::vector<TensorInfo> info;
  std::uint64_t free_then = 0;
};

Computed compute(OpenOptions o, std::int64_t batch) {
  o.options.batch = batch;
  o.options.input_sets = 2;  // as a trial has: what fits here fits there
  o.options.repeat_items = true;
  OpenedModel model = open_model(o);
  auto* session = dynamic_cast<Session*>(model.workload.get());
  if (!session) return {};
  Computed c{session->outputs(0), {}, 0};
  c.info = session->info().outputs;
  if (const auto memory = model.device->memory()) c.free_then = memory->free.count;
  return c;
}

// Other kernels add in another order for another batch: ten times what two runs of the same program may differ by.
std::string why_differ(const TensorInfo& info, std::span<const std::byte> item, std::span<const std::byte> alone,
                       const char* which) {
  const auto type = parse_tensor_type(info.type);
  if (!type) return {};
  const Difference d = compare(*type, item, alone);
  if (d.finite && d.relative <= 10 * tolerance_of(*type)) return {};
  return fmt::format("the {} item of output '{}' differs from a batch of 1 by {:.2g} of its largest value", which,
                     info.name, d.relative);
}

}  // namespace

BatchCheck check_batch(const OpenOptions& o, std::int64_t batch) {
  const Computed many = compute(o, batch);
  if (batch <= 1) return {{}, many.free_then};
  const Computed one = compute(o, 1);
  for (std::size_t i = 0; i < many.outputs.size() && i < one.outputs.size() && i < many.info.size(); ++i) {
    const auto& shape = many.info[i].shape;
    const std::size_t item = one.outputs[i].size();
    if (shape.empty() || shape.front() != batch || many.outputs[i].size() != item * static_cast<std::size_t>(batch))
      continue;
    const std::span<const std::byte> all = many.outputs[i];
    for (const auto& [part, which] : {std::pair(all.first(item), "first"), std::pair(all.last(item), "last")}) {
      if (std::string why = why_differ(many.info[i], part, one.outputs[i], which); !why.empty())
        return {std::move(why), many.free_then};
    }
  }
  return {{}, many.free_then};
}

}  // namespace strobe
