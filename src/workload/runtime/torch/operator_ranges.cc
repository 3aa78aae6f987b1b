// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/operator_ranges.h"

#include <memory>

#include "host/nvtx.h"
#include "workload/runtime/torch/operator_name.h"

namespace strobe::torch_plugin {
namespace {

// torch calls functions without a closure. Operators within operators belong to the outermost.
struct OperatorsOfThread {
  std::size_t depth = 0, next = 0;
};
thread_local OperatorsOfThread of_thread;

std::unique_ptr<at::ObserverContext> begin_range(const at::RecordFunction& f) {
  if (of_thread.depth++ == 0) nvtx::push(operator_name(f.name()), of_thread.next++);
  return nullptr;
}

void end_range(const at::RecordFunction&, at::ObserverContext*) {
  if (of_thread.depth > 0 && --of_thread.depth == 0) nvtx::pop();
}

}  // namespace

OperatorRanges::OperatorRanges() {
  if (!nvtx::watched()) return;
  handle_ =
      at::addGlobalCallback(at::RecordFunctionCallback(&begin_range, &end_range).scopes({at::RecordScope::FUNCTION}));
}

OperatorRanges::~OperatorRanges() {
  if (handle_) at::removeCallback(*handle_);
}

void OperatorRanges::begin_request() {
  of_thread.next = 0;
}

}  // namespace strobe::torch_plugin
