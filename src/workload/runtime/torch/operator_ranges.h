// SPDX-License-Identifier: Apache-2.0
// Each operator that torch runs, as a range for a tool that watches the process (host/nvtx.h): kernels that are handed
// over within it are its own. Where nobody watches torch is not asked to tell of its operators.
#pragma once

#include <ATen/record_function.h>
#include <optional>

namespace strobe::torch_plugin {

class OperatorRanges {
 public:
  OperatorRanges();
  ~OperatorRanges();
  OperatorRanges(const OperatorRanges&) = delete;
  OperatorRanges& operator=(const OperatorRanges&) = delete;

  // Operators of a request are numbered from 0 on.
  void begin_request();

 private:
  std::optional<at::CallbackHandle> handle_;
};

}  // namespace strobe::torch_plugin
