// SPDX-License-Identifier: Apache-2.0
// Work of known length on the host: nothing, a busy wait, a sleep. What Strobe itself costs is seen with these.
#pragma once

#include <memory>
#include <string_view>

#include <strobe/workload.h>

#include "device/device.h"

namespace strobe {

// "null", "spin=100us" or "sleep=1ms". On a GPU it works on `stream` (native) where one is given, else on its own.
std::unique_ptr<Workload> make_builtin(std::string_view text, Device&, void* stream = nullptr);

}  // namespace strobe
