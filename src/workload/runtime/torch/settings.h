// SPDX-License-Identifier: Apache-2.0
// What --threads and --set mean to torch. Its flags belong to the process: each session sets all of them when it is
// loaded, and the record says what they were.
#pragma once

#include "workload/runtime/runtime.h"

namespace strobe::torch_plugin {

struct Flags {
  bool tf32_matmul = false, tf32_cudnn = true, cudnn_benchmark = false, deterministic = false;
  int threads = 1;
};

Flags current_flags();

// The flags that `options` ask for, where `usual` are torch's own. Throws a usage Error on an unknown key, and on one
// that does nothing on this device.
Flags flags_for(const ModelOptions&, Flags usual, bool cuda);

void set_flags(const Flags&);
void describe(const Flags&, const DeviceInfo&, Scalars& facts);

}  // namespace strobe::torch_plugin
