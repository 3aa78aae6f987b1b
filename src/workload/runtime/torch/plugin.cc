// SPDX-License-Identifier: Apache-2.0
// The plugin's entry. It is not linked to torch itself: it first opens a torch that fits, then the library beside it
// that has the sessions and is linked to it.
#include <fmt/format.h>

#include <strobe/error.h>

#include "base/build_info.h"
#include "host/library.h"
#include "workload/runtime/runtime.h"
#include "workload/runtime/torch/beside.h"
#include "workload/runtime/torch/library.h"

namespace strobe::torch_plugin {
namespace {

std::unique_ptr<Runtime> make() {
  open_library();
  const std::string file = beside("strobe_torch_sessions.so");
  const Library lib = Library::open(file);
  const auto entry = lib ? lib.function<const Plugin*()>("strobe_torch_sessions") : nullptr;
  if (!entry)
    throw Error(ErrorCode::not_found, "cannot use torch", lib ? file + " is not a part of strobe" : lib.why_not(),
                "Build strobe again with 'make torch'.");
  const Plugin* sessions = entry();
  if (std::string_view(sessions->build_id) != kBuildId)
    throw Error(ErrorCode::not_found, "cannot use torch",
                fmt::format("{} belongs to another build ({}; this is {})", file, sessions->build_id, kBuildId));
  return sessions->make();
}

}  // namespace
}  // namespace strobe::torch_plugin

extern "C" const strobe::Plugin* strobe_plugin() {
  static const strobe::Plugin plugin{strobe::kBuildId, &strobe::torch_plugin::make};
  return &plugin;
}
