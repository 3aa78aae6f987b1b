// SPDX-License-Identifier: Apache-2.0
// From what a user calls a model (a file, zoo:, sim:, work:) to a workload on a device.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <strobe/model.h>
#include <strobe/workload.h>

#include "device/device.h"
#include "workload/pin.h"
#include "workload/runtime/plugins.h"
#include "workload/runtime/runtime.h"

namespace strobe {

struct OpenedModel {
  std::shared_ptr<Device> device;    // outlives the rest
  std::unique_ptr<Runtime> runtime;  // null for built-in and simulated work
  std::shared_ptr<Stream> stream;    // of the level that was asked for; null: the workload made its own
  std::unique_ptr<Workload> workload;
  ModelInfo info;              // of the files; what the session adds is in describe()
  std::string device_name;     // as chosen: "cpu"
  bool device_chosen = false;  // by us, because --device was auto
  PinRule pin;                 // what --pin leaves for the thread that measures
  nanoseconds load_time{};     // runtime, model file and session, on the host's clock
  ModelOptions options;        // as loaded, for a second session of the same model

  ModelInfo describe() const;  // complete after the first request: some shapes only a run can tell
};

// What a user asks for, and what strobe adds.
struct OpenOptions : Model {
  std::shared_ptr<Device> on = {};  // already open: `device` is what it is called
  std::size_t fewest_sets = 1;      // of inputs, where requests that overlap need each its own
  void* shared_stream = nullptr;  // native: the one to work on, where sessions share it; null: the session has its own
  std::uint64_t launch = 0, load = 0;  // which process of a study, and which load in it: simulated devices differ by it
  bool record_memory = false;          // allocations, from the load on: what slows it
  std::function<void(Device&)> before_load = {};  // told of the device, before anything is loaded on it
  bool repeat_items = false;                      // every item of a batch is the one that a batch of 1 would have
  std::optional<AtOnce> at_once = {};  // requests beside each other, where the runtime has streams of its own
  std::string prefers_stream = {};     // fast, slow: of that level where there are levels, and `stream` says nothing
  bool traced = false;                 // what the device does is to be recorded
  OptionNames names = {};              // what complaints call the options
};

OpenedModel open_model(const OpenOptions&);

// What it would run on, and what that is called; null for simulated work, which brings its own.
std::shared_ptr<Device> device_for(const OpenOptions&, std::string& name);

// Which runtime would open it; "strobe" for built-in and simulated work.
std::string runtime_of(const OpenOptions&);
RuntimeTraits runtime_traits(const OpenOptions&);

}  // namespace strobe
