// SPDX-License-Identifier: Apache-2.0
// A runtime turns a model file into a session. Runtimes are plugins: shared libraries of the same build, loaded on
// first use.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <strobe/workload.h>

#include "device/device.h"
#include "workload/tensor/model_options.h"

namespace strobe {

class Runtime {
 public:
  virtual ~Runtime() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  virtual Capability runs_on(const Device&) const = 0;
  // Devices that it finds here, as it calls them ("GPU.0"); empty: it uses those that we have.
  virtual std::vector<std::string> devices() { return {}; }
  virtual std::unique_ptr<Session> load(const ModelOptions&, Device&) = 0;
};

// What a plugin exports as `extern "C" const strobe::Plugin* strobe_plugin()`.
struct Plugin {
  const char* build_id;                // of the build it belongs to: another is refused
  std::unique_ptr<Runtime> (*make)();  // throws Error when the runtime's own library cannot be used
};

}  // namespace strobe
