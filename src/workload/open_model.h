// SPDX-License-Identifier: Apache-2.0
// From what a user calls a model (a file, zoo:, sim:, work:) to a workload on a device.
#pragma once

#include <memory>
#include <string>

#include <strobe/workload.h>

#include "device/device.h"
#include "workload/runtime/plugins.h"
#include "workload/runtime/runtime.h"

namespace strobe {

struct OpenedModel {
  std::shared_ptr<Device> device;    // outlives the rest
  std::unique_ptr<Runtime> runtime;  // null for built-in and simulated work
  std::unique_ptr<Workload> workload;
  ModelInfo info;              // of the files; what the session adds is in describe()
  std::string device_name;     // as chosen: "cpu"
  bool device_chosen = false;  // by us, because --device was auto
  nanoseconds load_time{};     // runtime, model file and session, on the host's clock
  ModelOptions options;        // as loaded, for a second session of the same model

  ModelInfo describe() const;  // complete after the first request: some shapes only a run can tell
  void reload();               // a fresh session of the same files; Error (changed) where they are not
};

struct OpenOptions {
  std::string model;  // as typed
  std::string device = "auto";
  std::shared_ptr<Device> on = {};  // already open: `device` is what it is called
  std::string runtime;              // empty: by the file's suffix
  std::string pin = "auto";         // auto: to the GPU's NUMA node; off; or a list of CPUs
  ModelOptions options;             // its path is filled in here
};

OpenedModel open_model(const OpenOptions&);

// What it would run on, and what that is called; null for simulated work, which brings its own.
std::shared_ptr<Device> device_for(const OpenOptions&, std::string& name);

// Which runtime would open it; "strobe" for built-in and simulated work.
std::string runtime_of(const OpenOptions&);
RuntimeTraits runtime_traits(const OpenOptions&);

}  // namespace strobe
