// SPDX-License-Identifier: Apache-2.0
// For the sources of plugins alone: the entry that every plugin exports.
#pragma once

#include <memory>

#include "base/build_info.h"
#include "workload/runtime/runtime.h"

namespace strobe {

// What `extern "C" const strobe::Plugin* strobe_plugin()` returns.
template <class OwnRuntime>
const Plugin* plugin_of() {
  static const Plugin plugin{kBuildId, []() -> std::unique_ptr<Runtime> { return std::make_unique<OwnRuntime>(); }};
  return &plugin;
}

}  // namespace strobe
